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
from heedful.text.wanted import Wanted, copied, lacking, terms


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

    def in_part(self, part: Part) -> list[Wanted]:
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
    wanted: Sequence[list[Wanted]],
    found: list[list[Hypothesis]],
    tokenizer: Tokenizer,
    longest: int | None,
) -> SecondLook | None:
    """None if nothing is missing. `longest` is the most that a model can write, if it has a bound.
    What it has no tokens for cannot be insisted on; but where each word looks is told then, so that
    it can be put in."""
    rows = [
        row
        for row, some in enumerate(wanted)
        if some and not any(_is_complete(some, h, tokenizer) for h in found[row])
    ]
    if not rows:
        return None
    texts = [[want.text for want in wanted[row]] for row in rows]
    able = [[text for text in some if is_writable(text, tokenizer)] for some in texts]
    phrases = [[tokenizer.encode(text) for text in some] for some in able]
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
            aligned=task.aligned or able != texts,
        ),
    )


def complete_ones(
    wanted: list[Wanted], found: list[Hypothesis], tokenizer: Tokenizer
) -> list[Hypothesis]:
    """Those that have all that is wanted, in their order; all of them if none has."""
    if not wanted:
        return found
    return [h for h in found if _is_complete(wanted, h, tokenizer)] or found


def is_writable(text: str, tokenizer: Tokenizer) -> bool:
    """Whether a model has tokens for it."""
    ids = tokenizer.encode(text)
    return UNK not in ids and tokenizer.decode(ids) == text


def _is_complete(wanted: list[Wanted], hypothesis: Hypothesis, tokenizer: Tokenizer) -> bool:
    return not lacking(wanted, tokenizer.decode(hypothesis.tokens))
