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
from heedful.text.wanted import Glossary, Wanted, copied, lacking, without_parts

LONGEST_TERM = 200  # characters
MOST_FORCED = 16  # tokens of a sentence: each makes the search wider and longer


@dataclass(frozen=True)
class Wishes:
    """What a user wants of all sentences."""

    glossary: Glossary
    """A term that stays as it is is called what it is."""
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
            if max(len(term), len(called)) > LONGEST_TERM:
                raise InputError(
                    f"glossary: {term[:30]!r}…: a term has {LONGEST_TERM} characters at most"
                )
        terms = {term.strip(): called.strip() for term, called in both.items()}
        return cls(Glossary(terms), copy)

    def in_part(self, part: Part) -> list[Wanted]:
        """What must stand in the translation of a sentence."""
        if not self.copy and not self.glossary:
            return []
        fixed = copied(part.text)
        found = without_parts([*fixed, *self.glossary.in_text(part.text)])
        return found if self.copy else [want for want in found if want not in fixed]


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
    wanted: Sequence[list[Wanted]],
    found: list[list[Hypothesis]],
    tokenizer: Tokenizer,
    longest: int | None,
) -> SecondLook | None:
    """None if nothing is missing. `longest` is the most that a model can write, if it has a bound.
    What it has no tokens for, or what is too much, is not insisted on. Where each word looks is
    told, so that what is missing still can be put in."""
    rows = [
        row
        for row, some in enumerate(wanted)
        if some and not any(_is_complete(some, h, tokenizer) for h in found[row])
    ]
    if not rows:
        return None
    phrases = [_phrases(wanted[row], tokenizer) for row in rows]
    extra = [sum(map(len, some)) for some in phrases]
    limits = [task.limits[row] + more for row, more in zip(rows, extra, strict=True)]
    if longest is not None:
        limits = [min(limit, longest) for limit in limits]
    return SecondLook(
        rows,
        replace(
            task,
            sources=[task.sources[row] for row in rows],
            limits=limits,
            prefixes=[task.prefixes[row] for row in rows],
            phrases=phrases,
            aligned=True,
        ),
    )


def complete_ones(
    wanted: list[Wanted], found: list[Hypothesis], tokenizer: Tokenizer
) -> list[Hypothesis]:
    """Those that have all that is wanted, in their order; all of them if none has."""
    if not wanted:
        return found
    return [h for h in found if _is_complete(wanted, h, tokenizer)] or found


def _phrases(wanted: list[Wanted], tokenizer: Tokenizer) -> list[list[int]]:
    """What a search is told to write, in tokens: as much as it can keep in sight."""
    found: list[list[int]] = []
    room = MOST_FORCED
    for want in wanted:
        ids = tokenizer.encode(want.text)
        is_writable = UNK not in ids and tokenizer.decode(ids) == want.text
        if is_writable and len(ids) <= room:
            found.append(ids)
            room -= len(ids)
    return found


def _is_complete(wanted: list[Wanted], hypothesis: Hypothesis, tokenizer: Tokenizer) -> bool:
    return not lacking(wanted, tokenizer.decode(hypothesis.tokens))
