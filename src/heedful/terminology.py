"""What must stand in a translation: looked for first, and insisted on only where it is missing.

A translation that has all that is wanted is the best of those that have it. So the search that is
told what to write, which takes longer, is for the other sentences alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Task
from heedful.errors import InputError
from heedful.text.parts import Part
from heedful.text.special import UNK
from heedful.text.tokenizer import Tokenizer
from heedful.text.wanted import copied, lacking, terms


@dataclass(frozen=True)
class Wishes:
    """What a user wants of all sentences."""

    glossary: Mapping[str, str]
    """Terms, and what they are to be called; a term that stays as it is is called what it is."""
    copy: bool = False
    """Whether numbers, addresses, tags and placeholders stay as they are."""

    @classmethod
    def of(cls, glossary: Mapping[str, str] | None, keep: Sequence[str], copy: bool) -> Wishes:
        """Checked."""
        both = {**(glossary or {}), **{term: term for term in keep}}
        for term, called in both.items():
            if not (isinstance(term, str) and isinstance(called, str)):
                raise InputError(f"glossary: {term!r}: {called!r}: two texts are wanted")
            if not term.strip() or not called.strip():
                raise InputError(f"glossary: {term!r}: {called!r}: neither may be empty")
        return cls({term.strip(): called.strip() for term, called in both.items()}, copy)

    def in_part(self, part: Part) -> list[str]:
        """What must stand in the translation of a sentence."""
        wanted = terms(part.text, self.glossary)
        return wanted + (copied(part.text) if self.copy else [])


@dataclass(frozen=True)
class SecondLook:
    """The sentences in which something is missing, and what is asked for them."""

    rows: list[int]
    task: Task

    def put_in(
        self, found: list[list[Hypothesis]], better: list[list[Hypothesis]]
    ) -> list[list[Hypothesis]]:
        """Where there is a better one."""
        changed = {row: some for row, some in zip(self.rows, better, strict=True) if some}
        return [changed.get(row, some) for row, some in enumerate(found)]


def second_look(
    task: Task,
    wanted: Sequence[list[str]],
    found: list[list[Hypothesis]],
    tokenizer: Tokenizer,
    longest: int | None,
) -> SecondLook | None:
    """None if nothing is missing. `longest` is the most that a model can write, if it has a bound.
    What it has no tokens for cannot be insisted on."""
    phrases: dict[int, list[list[int]]] = {}
    for row, texts in enumerate(wanted):
        if texts and lacking(texts, tokenizer.decode(found[row][0].tokens)):
            ids = [tokenizer.encode(text) for text in texts]
            phrases[row] = [some for some in ids if some and UNK not in some]
    rows = [row for row, some in phrases.items() if some]
    if not rows:
        return None
    limits = [task.limits[row] + sum(map(len, phrases[row])) for row in rows]
    if longest is not None:
        limits = [min(limit, longest) for limit in limits]
    return SecondLook(
        rows,
        replace(
            task,
            sources=[task.sources[row] for row in rows],
            limits=limits,
            prefixes=[task.prefixes[row] for row in rows],
            phrases=[phrases[row] for row in rows],
        ),
    )
