"""What happens between the two nouns, with the mover or the place as subject.

Slots in the English and French phrases are filled by `english.py` and `french.py`; `[x|y]` is the
masculine and feminine by the subject. The Korean phrase is what follows the other noun and its
particle; `{stem} {past} {future}` are forms of the verb.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from heedful.demo.verbs import Case

Outcome = Literal["hindered", "helped", "drawn"]
"""Whether the mover is held back, gets through, or is attracted."""


@dataclass(frozen=True, eq=False)
class Action:
    english: str
    french: str
    korean: str
    outcome: Outcome
    subject: Literal["mover", "place"]
    case: Case | None = None
    """Of the mover where the place is the subject; else the verb has the case of the place."""
    only_animals: bool = False

    @property
    def has_verb(self) -> bool:
        return "{" in self.korean


OF_MOVERS = (
    Action(
        "didn't {verb} {other}",
        "n'{auxiliary} pas {participle} {other}",
        "{stem}지 않았다",
        "hindered",
        "mover",
    ),
    Action(
        "couldn't {verb} {other}",
        "n'a pas pu {verb} {other}",
        "{future} 수 없었다",
        "hindered",
        "mover",
    ),
    Action(
        "refused to {verb} {other}",
        "a refusé {of_verb} {other}",
        "{stem}기를 거부했다",
        "hindered",
        "mover",
        only_animals=True,
    ),
    Action(
        "hesitated to {verb} {other}",
        "a hésité à {verb} {other}",
        "{stem}기를 망설였다",
        "hindered",
        "mover",
        only_animals=True,
    ),
    Action(
        "managed to {verb} {other}",
        "a réussi à {verb} {other}",
        "{stem}는 데 성공했다",
        "helped",
        "mover",
    ),
    Action(
        "easily {past} {other}",
        "{auxiliary} facilement {participle} {other}",
        "쉽게 {past}다",
        "helped",
        "mover",
    ),
    Action(
        "was able to {verb} {other}", "a pu {verb} {other}", "{future} 수 있었다", "helped", "mover"
    ),
    Action(
        "{past} {other}",
        "{auxiliary} {participle} {other}",
        "{past}다",
        "drawn",
        "mover",
        only_animals=True,
    ),
    Action(
        "decided to {verb} {other}",
        "a décidé {of_verb} {other}",
        "{stem}기로 했다",
        "drawn",
        "mover",
        only_animals=True,
    ),
    Action(
        "wanted to {verb} {other}",
        "voulait {verb} {other}",
        "{stem}고 싶어 했다",
        "drawn",
        "mover",
        only_animals=True,
    ),
)

OF_PLACES = (
    Action(
        "was difficult for {other} to {verb}",
        "était difficile à {verb} pour {other}",
        "{stem}기 힘들었다",
        "hindered",
        "place",
        case="이",
    ),
    Action(
        "was dangerous for {other} to {verb}",
        "était dangereu[x|se] à {verb} pour {other}",
        "{stem}기에 위험했다",
        "hindered",
        "place",
        case="이",
    ),
    Action(
        "seemed impossible for {other} to {verb}",
        "semblait impossible à {verb} pour {other}",
        "{stem}기에 불가능해 보였다",
        "hindered",
        "place",
        case="이",
    ),
    Action(
        "was a problem for {other}",
        "posait un problème {to_other}",
        "문제가 되었다",
        "hindered",
        "place",
        case="에게",
    ),
    Action(
        "was easy for {other} to {verb}",
        "était facile à {verb} pour {other}",
        "{stem}기 쉬웠다",
        "helped",
        "place",
        case="이",
    ),
    Action(
        "seemed easy for {other} to {verb}",
        "semblait facile à {verb} pour {other}",
        "{stem}기 쉬워 보였다",
        "helped",
        "place",
        case="이",
    ),
    Action(
        "was no problem for {other}",
        "ne posait aucun problème {to_other}",
        "문제가 되지 않았다",
        "helped",
        "place",
        case="에게",
    ),
    Action(
        "attracted {other}",
        "attirait {other}",
        "마음을 끌었다",
        "drawn",
        "place",
        case="의",
        only_animals=True,
    ),
    Action(
        "tempted {other}",
        "tentait {other}",
        "유혹했다",
        "drawn",
        "place",
        case="을",
        only_animals=True,
    ),
    Action(
        "seemed inviting to {other}",
        "paraissait attrayant[|e] {to_other}",
        "매력적으로 보였다",
        "drawn",
        "place",
        case="에게",
        only_animals=True,
    ),
)

ACTIONS = OF_MOVERS + OF_PLACES
