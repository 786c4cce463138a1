"""The verbs of motion: what one crosses, climbs, goes through and enters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from heedful.demo.nouns import Noun, named

Case = Literal["을", "에", "이", "에게", "의"]
"""The Korean particle of the other noun, named by its form after a final consonant."""


@dataclass(frozen=True, eq=False)
class Verb:
    english: str
    english_past: str
    french: str
    participle: str
    auxiliary: Literal["a", "est"]
    preposition: str
    korean: str
    korean_past: str
    korean_future: str
    case: Case
    places: tuple[Noun, ...]

    @property
    def enters(self) -> bool:
        return self.preposition != ""


CLIMBED = named("hill trail slope staircase ramp embankment")
CROSSED = named("street bridge road stream river canal highway intersection")
ENTERED = named("forest tunnel alley park cave garden meadow market yard field")

VERBS = (
    Verb(
        "cross", "crossed", "traverser", "traversé", "a", "", "건너", "건넜", "건널", "을", CROSSED
    ),
    Verb("climb", "climbed", "gravir", "gravi", "a", "", "오르", "올랐", "오를", "을", CLIMBED),
    Verb(
        "go through",
        "went through",
        "traverser",
        "traversé",
        "a",
        "",
        "지나가",
        "지나갔",
        "지나갈",
        "을",
        ENTERED,
    ),
    Verb(
        "enter",
        "entered",
        "entrer",
        "entré[|e]",
        "est",
        "dans ",
        "들어가",
        "들어갔",
        "들어갈",
        "에",
        ENTERED,
    ),
)
