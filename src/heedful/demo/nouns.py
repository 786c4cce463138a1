"""The nouns: who moves (animals, vehicles) and where (places), in three languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Gender = Literal["m", "f"]
Kind = Literal["animal", "vehicle", "place"]


@dataclass(frozen=True, eq=False)
class Noun:
    """One noun; `eq=False`, because every noun exists once and identity is the fastest key."""

    english: str
    french: str
    gender: Gender
    korean: str
    kind: Kind
    aspirated: bool = False
    """A French h that forbids elision: le hérisson, not l'hérisson."""


ANIMALS = (
    Noun("animal", "animal", "m", "동물", "animal"),
    Noun("cow", "vache", "f", "소", "animal"),
    Noun("dog", "chien", "m", "개", "animal"),
    Noun("goat", "chèvre", "f", "염소", "animal"),
    Noun("horse", "cheval", "m", "말", "animal"),
    Noun("mule", "mule", "f", "노새", "animal"),
    Noun("donkey", "âne", "m", "당나귀", "animal"),
    Noun("goose", "oie", "f", "거위", "animal"),
    Noun("bear", "ours", "m", "곰", "animal"),
    Noun("hen", "poule", "f", "암탉", "animal"),
    Noun("sheep", "mouton", "m", "양", "animal"),
    Noun("mouse", "souris", "f", "쥐", "animal"),
    Noun("hedgehog", "hérisson", "m", "고슴도치", "animal", aspirated=True),
    Noun("tortoise", "tortue", "f", "거북이", "animal"),
)

VEHICLES = (
    Noun("truck", "camion", "m", "트럭", "vehicle"),
    Noun("car", "voiture", "f", "자동차", "vehicle"),
    Noun("bus", "bus", "m", "버스", "vehicle"),
    Noun("ambulance", "ambulance", "f", "구급차", "vehicle"),
    Noun("tractor", "tracteur", "m", "트랙터", "vehicle"),
    Noun("van", "camionnette", "f", "승합차", "vehicle"),
)

PLACES = (
    # What one crosses
    Noun("street", "rue", "f", "길", "place"),
    Noun("bridge", "pont", "m", "다리", "place"),
    Noun("road", "route", "f", "도로", "place"),
    Noun("stream", "ruisseau", "m", "개울", "place"),
    Noun("river", "rivière", "f", "강", "place"),
    Noun("canal", "canal", "m", "운하", "place"),
    Noun("highway", "autoroute", "f", "고속도로", "place"),
    Noun("intersection", "carrefour", "m", "교차로", "place"),
    # What one climbs
    Noun("hill", "colline", "f", "언덕", "place"),
    Noun("trail", "sentier", "m", "산길", "place"),
    Noun("slope", "pente", "f", "비탈", "place"),
    Noun("staircase", "escalier", "m", "계단", "place"),
    Noun("ramp", "rampe", "f", "경사로", "place"),
    Noun("embankment", "talus", "m", "둑", "place"),
    # What one enters and goes through
    Noun("forest", "forêt", "f", "숲", "place"),
    Noun("tunnel", "tunnel", "m", "터널", "place"),
    Noun("alley", "ruelle", "f", "골목", "place"),
    Noun("park", "parc", "m", "공원", "place"),
    Noun("cave", "grotte", "f", "동굴", "place"),
    Noun("garden", "jardin", "m", "정원", "place"),
    Noun("meadow", "prairie", "f", "풀밭", "place"),
    Noun("market", "marché", "m", "시장", "place"),
    Noun("yard", "cour", "f", "마당", "place"),
    Noun("field", "champ", "m", "들판", "place"),
)

MOVERS = ANIMALS + VEHICLES
NOUNS = MOVERS + PLACES
_BY_NAME = {noun.english: noun for noun in NOUNS}


def named(names: str) -> tuple[Noun, ...]:
    """The nouns of a space-separated list of English names."""
    return tuple(_BY_NAME[name] for name in names.split())


def without(nouns: Sequence[Noun], names: str) -> tuple[Noun, ...]:
    """The nouns except those named."""
    left_out = named(names)
    return tuple(noun for noun in nouns if noun not in left_out)


# Where a vehicle may plausibly be
DRIVABLE = named("bridge hill slope ramp tunnel alley field")

# What plausibly lures an animal; a busy highway or a crossing of roads does not
INVITING = without(PLACES, "highway intersection")
