"""BLEU against the length of a sentence: the figure that made attention famous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heedful.evaluation import bleu

GROUPS = 5
FEWEST = 20  # lines of a group: with fewer, BLEU says nothing


@dataclass(frozen=True)
class Group:
    """Lines whose sources have about as many words."""

    shortest: int
    longest: int
    lines: tuple[int, ...]

    @property
    def name(self) -> str:
        """Such as "7-9"."""
        same = self.shortest == self.longest
        return str(self.shortest) if same else f"{self.shortest}–{self.longest}"


def by_length(sources: Sequence[str]) -> list[Group]:
    """Groups of about as many lines, short ones first; no length is in two of them."""
    lengths = [len(source.split()) for source in sources]
    order = sorted(range(len(sources)), key=lambda i: lengths[i])
    wanted = max(FEWEST, len(sources) // GROUPS)
    groups: list[list[int]] = []
    for line in order:
        last = groups[-1] if groups else []
        if not last or (len(last) >= wanted and lengths[line] != lengths[last[-1]]):
            groups.append([line])
        else:
            last.append(line)
    if len(groups) > 1 and len(groups[-1]) < FEWEST:
        rest = groups.pop()
        groups[-1] += rest
    return [Group(lengths[g[0]], lengths[g[-1]], tuple(g)) for g in groups]


def bleu_of(group: Group, texts: Sequence[str], references: Sequence[str]) -> float:
    """Of the group's lines alone."""
    return bleu([texts[i] for i in group.lines], [references[i] for i in group.lines])
