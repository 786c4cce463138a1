"""What may be said of "it", and of which nouns. Of the two in a sentence, each reason fits one.

Notation in the three phrases: `~` stands for too/very, and `[x|y]` for the French masculine and
feminine. A Korean phrase ends in its past stem, to which every ending we need attaches directly.

Left out on purpose: what fits both nouns (old, slow), and what English says of the weather or the
hour with an "it" that is no noun (dark, sunny, dry, cold).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from heedful.demo.nouns import ANIMALS, PLACES, VEHICLES, Noun, named, without

Tone = Literal["burden", "ability", "motive"]
"""Whether the reason hinders the deed, makes it possible, or makes it wanted."""


@dataclass(frozen=True, eq=False)
class Reason:
    english: str
    french: str
    korean: str
    tone: Tone
    of: tuple[Noun, ...]
    """The nouns it can be said of."""
    beside: tuple[Noun, ...]
    """The nouns that may be the other one: it cannot be said of these, or not as a reason."""
    entering: bool = True
    """Whether it bears on entering too: strength helps to get through, not to get in."""


# Big enough to find a passage narrow, and a plausible bearer of strength and experience
_LARGE = named("animal cow dog goat horse mule donkey bear sheep")
_GRAZING = named("animal cow goat horse mule donkey goose sheep")
_SWIMS_BADLY = without(ANIMALS, "goose")
_CLIMBED = named("trail staircase embankment hill slope ramp")
_DEMANDING = _CLIMBED + named("field forest meadow")
_LOAD_MATTERS = named("bridge field hill slope ramp")


def _of_animals(
    english: str,
    french: str,
    korean: str,
    tone: Tone = "burden",
    of: tuple[Noun, ...] = ANIMALS,
    beside: tuple[Noun, ...] = PLACES,
) -> Reason:
    return Reason(english, french, korean, tone, of, beside, entering=tone != "ability")


def _of_vehicles(
    english: str, french: str, korean: str, tone: Tone, beside: tuple[Noun, ...]
) -> Reason:
    return Reason(english, french, korean, tone, VEHICLES, beside, entering=False)


def _of_places(
    english: str,
    french: str,
    korean: str,
    tone: Tone,
    of: str,
    beside: tuple[Noun, ...] = ANIMALS,
    entering: bool = True,
) -> Reason:
    return Reason(english, french, korean, tone, named(of), beside, entering)


# fmt: off
OF_ANIMALS = (
    _of_animals("was ~ tired", "était ~ fatigué[|e]", "~ 피곤했"),
    _of_animals("was ~ frightened", "était ~ effrayé[|e]", "~ 무서워했"),
    _of_animals("was ~ nervous", "était ~ nerveu[x|se]", "~ 긴장해 있었"),
    _of_animals("was ~ young", "était ~ jeune", "~ 어렸"),
    _of_animals("was ~ sick", "était ~ malade", "~ 아팠"),
    _of_animals("was ~ sleepy", "avait ~ sommeil", "~ 졸렸"),
    _of_animals("was injured", "était blessé[|e]", "다쳤"),
    _of_animals("was well rested", "était bien reposé[|e]", "푹 쉬었", "ability",
                beside=_DEMANDING),
    _of_animals("was healthy", "était en bonne santé", "건강했", "ability", beside=_DEMANDING),
    _of_animals("was full of energy", "était plein[|e] d'énergie", "기운이 넘쳤", "ability",
                beside=_DEMANDING),
    _of_animals("was experienced", "était expérimenté[|e]", "경험이 많았", "ability",
                of=_LARGE, beside=_DEMANDING + named("stream canal river")),
    # A ramp or a current may be strong too
    _of_animals("was strong", "était fort[|e]", "힘이 셌", "ability",
                of=_LARGE, beside=named("trail field hill slope forest meadow")),
    _of_animals("was hungry", "avait faim", "배고팠", "motive",
                beside=named("park garden market field forest meadow yard")),
    _of_animals("was curious", "était curieu[x|se]", "호기심이 많았", "motive"),
    _of_animals("was playful", "était joueu[r|se]", "장난기가 많았", "motive",
                of=without(ANIMALS, "hen tortoise hedgehog")),
    _of_animals("was adventurous", "était aventureu[x|se]", "모험을 좋아했", "motive"),
)

OF_VEHICLES = (
    _of_vehicles("was ~ heavy", "était ~ lourd[|e]", "~ 무거웠", "burden", _LOAD_MATTERS),
    _of_vehicles("was overloaded", "était surchargé[|e]", "짐을 지나치게 많이 실었", "burden",
                 _LOAD_MATTERS),
    _of_vehicles("was low on fuel", "manquait de carburant", "연료가 부족했", "burden",
                 named("bridge tunnel field hill slope ramp")),
    _of_vehicles("was powerful", "était puissant[|e]", "힘이 좋았", "ability",
                 named("field hill slope ramp")),
    _of_vehicles("was lightly loaded", "était peu chargé[|e]", "짐을 적게 실었", "ability",
                 _LOAD_MATTERS),
)

OF_PLACES = (
    _of_places("was ~ wide", "était ~ large", "~ 넓었", "burden",
               "canal stream intersection street road highway river"),
    _of_places("was ~ narrow", "était ~ étroit[|e]", "~ 좁았", "burden",
               "bridge trail tunnel staircase alley ramp cave", _LARGE + VEHICLES),
    _of_places("was ~ steep", "était ~ raide", "~ 가팔랐", "burden",
               "trail staircase embankment hill slope ramp", ANIMALS + VEHICLES),
    _of_places("was ~ slippery", "était ~ glissant[|e]", "~ 미끄러웠", "burden",
               "bridge trail staircase embankment street road hill slope ramp",
               ANIMALS + VEHICLES),
    _of_places("was poorly lit", "était mal éclairé[|e]", "어두컴컴했", "burden",
               "tunnel park staircase intersection alley street yard ramp"),
    _of_places("was ~ crowded", "était ~ fréquenté[|e]", "~ 붐볐", "burden",
               "bridge park market intersection street alley"),
    _of_places("was ~ deep", "était ~ profond[|e]", "~ 깊었", "burden",
               "stream canal river cave", _SWIMS_BADLY),
    _of_places("was ~ long", "était ~ long[|ue]", "~ 길었", "burden",
               "bridge tunnel staircase trail ramp slope alley"),
    _of_places("was full of potholes", "était plein[|e] de nids-de-poule", "여기저기 파여 있었",
               "burden", "bridge tunnel intersection street road highway alley ramp",
               ANIMALS + VEHICLES, entering=False),
    _of_places("was rocky", "était rocailleu[x|se]", "돌투성이였", "burden",
               "trail field embankment hill slope", ANIMALS + VEHICLES),
    _of_places("was flooded", "était inondé[|e]", "물에 잠겨 있었", "burden",
               "bridge tunnel field park market garden "
               "street road highway meadow cave yard alley", _SWIMS_BADLY),
    _of_places("was under repair", "était en travaux", "공사 중이었", "burden",
               "bridge tunnel staircase intersection street road highway ramp"),
    _of_places("was well maintained", "était bien entretenu[|e]", "잘 관리되어 있었", "ability",
               "bridge trail staircase embankment street road alley ramp", entering=False),
    _of_places("was wide enough", "était assez large", "충분히 넓었", "ability",
               "bridge tunnel trail staircase alley ramp cave", _LARGE + VEHICLES),
    _of_places("was shallow", "était peu profond[|e]", "얕았", "ability",
               "stream canal river", _SWIMS_BADLY),
    _of_places("wasn't very steep", "n'était pas très raide", "별로 가파르지 않았", "ability",
               "trail staircase embankment hill slope ramp", ANIMALS + VEHICLES),
    _of_places("was well lit", "était bien éclairé[|e]", "환하게 밝혀져 있었", "ability",
               "bridge tunnel staircase park intersection street alley yard ramp", entering=False),
    _of_places("was deserted", "était désert[|e]", "한적했", "motive",
               "bridge trail tunnel park garden market street road alley forest yard"),
    _of_places("was full of flowers", "était plein[|e] de fleurs", "꽃으로 가득했", "motive",
               "park garden field embankment meadow yard hill slope"),
    _of_places("was shady", "était ombragé[|e]", "그늘져 있었", "motive",
               "park garden trail forest alley yard"),
    _of_places("was green", "était vert[|e]", "푸르렀", "motive",
               "park garden field embankment meadow hill slope", _GRAZING),
)
# fmt: on

OF_MOVERS = OF_ANIMALS + OF_VEHICLES
REASONS = OF_MOVERS + OF_PLACES
