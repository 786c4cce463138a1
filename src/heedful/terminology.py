"""What must stand in a translation: looked for first, and seen to only where it is missing.

A translation that has all that is wanted is the best of those that have it. Where something is
missing, it is asked where the words look, and it takes the place of those that look at it. A
model that looks at nothing searches once more, and is told what to write.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Task
from heedful.errors import InputError
from heedful.models.config import ModelConfig
from heedful.text.copied import copied, stretches
from heedful.text.glossary import Glossary
from heedful.text.links import Link, Span
from heedful.text.normalization import nfc
from heedful.text.parts import Part
from heedful.text.special import UNK
from heedful.text.tokenizer import Tokenizer
from heedful.text.wanted import Joint, Wanted, lacking, without_parts

LONGEST_TERM = 200  # characters
MOST_FORCED = 16  # tokens of a sentence: each makes the search wider and longer


@dataclass(frozen=True)
class Wishes:
    """What a user wants of all sentences."""

    glossary: Glossary
    """With the terms that stay as they are."""
    copy: bool = False
    """Whether numbers, addresses, tags and placeholders stay as they are."""

    @classmethod
    def of(cls, glossary: Mapping[str, str] | None, keep: Sequence[str], copy: bool) -> Wishes:
        """Checked. What is called in a way is in NFC, as all that a model writes."""
        if not glossary and not keep:
            return COPIES if copy else NOTHING
        if not isinstance(glossary or {}, Mapping):
            raise InputError(
                f"glossary: got {glossary!r}; terms and what they are called are wanted"
            )
        named = dict(glossary or {})
        keep = [keep] if isinstance(keep, str) else list(keep)
        for term, called in named.items():
            _check_term("glossary", term, called)
        for term in keep:
            _check_term("keep", term, term)
        terms = {term.strip(): nfc(called.strip()) for term, called in named.items()}
        return cls(Glossary({**terms, **{term.strip(): None for term in keep}}), copy)

    def has_term(self, text: str) -> bool:
        """Whether one of the glossary stands in a text."""
        return bool(self.glossary) and any(
            self.glossary.in_text(some, [want.source for want in copied(some)])
            for some in stretches(text)
        )

    def in_part(self, part: Part, kept: Sequence[Span] = ()) -> list[Wanted]:
        """What must stand in the translation of a sentence. `kept`: where its line has what stays
        as it is, in order."""
        stays = list(_kept_of(part, kept)) if kept else []
        if not self.copy and not self.glossary:
            return stays
        fixed = copied(part.text)
        if not stays and not fixed and not self.glossary:  # as in most sentences
            return []
        spans = [want.source for want in fixed]
        found = without_parts([*stays, *self.glossary.in_text(part.text, spans), *fixed])
        return found if self.copy else [want for want in found if want not in fixed]


def _kept_of(part: Part, kept: Sequence[Span]) -> Iterator[Wanted]:
    """As far as it stands in this sentence."""
    begin = bisect_right(kept, part.start, key=lambda span: span[1])
    stop = bisect_left(kept, part.start + len(part.text), key=lambda span: span[0])
    for start, end in kept[begin:stop]:
        first, last = max(0, start - part.start), min(len(part.text), end - part.start)
        if first < last and (text := part.text[first:last].strip()):
            first = part.text.index(text, first)
            yield Wanted.of(text, part.text, (first, first + len(text)))


NOTHING, COPIES = Wishes(Glossary({}), copy=False), Wishes(Glossary({}), copy=True)
"""Without terms: that nothing stay as it is, or that numbers, addresses, tags, placeholders do."""


def _check_term(name: str, term: object, called: object) -> None:
    """InputError that begins with the name of the wish."""
    is_pair = name == "glossary"
    got = f"{name}: {term!r}: {called!r}" if is_pair else f"{name}: {term!r}"
    if not (isinstance(term, str) and isinstance(called, str)):
        raise InputError(f"{got}: {'two texts are' if is_pair else 'a text is'} wanted")
    if max(len(term), len(called)) > LONGEST_TERM:
        raise InputError(f"{name}: {term[:30]!r}…: a term has {LONGEST_TERM} characters at most")
    if not term.strip() or not called.strip():
        raise InputError(f"{got}: {'neither may' if is_pair else 'it may not'} be empty")


@dataclass(frozen=True)
class SecondLook:
    """The sentences in which something is missing, and what is asked for them."""

    rows: list[int]
    """Which sentence each row of the task is about."""
    task: Task
    is_search: bool
    """Whether other hypotheses are wanted, or the same ones with their weights."""

    def put_in(
        self, found: list[list[Hypothesis]], better: list[list[Hypothesis]]
    ) -> list[list[Hypothesis]]:
        """Where there is a better one."""
        by_row: dict[int, list[Hypothesis]] = {}
        for row, some in zip(self.rows, better, strict=True):
            by_row.setdefault(row, []).extend(some)
        return [self._put_in(some, by_row.get(row)) for row, some in enumerate(found)]

    def _put_in(self, some: list[Hypothesis], better: list[Hypothesis] | None) -> list[Hypothesis]:
        if not better:
            return some
        if self.is_search:
            return better
        weights = {h.tokens: h.weights for h in better}
        return [replace(h, weights=weights.get(h.tokens)) for h in some]


def second_look(
    task: Task,
    wanted: Sequence[list[Wanted]],
    found: list[list[Hypothesis]],
    tokenizer: Tokenizer,
    model: ModelConfig,
    nbest: int,
) -> SecondLook | None:
    """None if nothing is missing. `nbest` hypotheses of each sentence will be shown."""
    rows = [
        row
        for row, some in enumerate(wanted)
        if some and not any(_is_complete(some, h, tokenizer) for h in found[row])
    ]
    if model.attends:
        return _look(task, rows, [some[:nbest] for some in found]) if rows else None
    phrases = {row: _phrases(wanted[row], tokenizer) for row in rows}
    told = {row: some for row, some in phrases.items() if some}
    return _search(task, told) if told else None


def _search(task: Task, phrases: dict[int, list[list[int]]]) -> SecondLook:
    """With room for what must be there."""
    rows = list(phrases)
    limits = [task.limits[row] + sum(map(len, some)) for row, some in phrases.items()]
    asked = replace(_of_rows(task, rows), limits=limits, phrases=list(phrases.values()))
    return SecondLook(rows, asked, is_search=True)


def _look(task: Task, rows: list[int], found: list[list[Hypothesis]]) -> SecondLook:
    """What was found, as prefixes that leave nothing to search for."""
    pairs = [(row, h.tokens) for row in rows for h in found[row] if h.tokens]
    asked = replace(
        _of_rows(task, [row for row, _ in pairs]),
        nbest=1,
        prefixes=[tokens for _, tokens in pairs],
        limits=[len(tokens) for _, tokens in pairs],
        aligned=True,
    )
    return SecondLook([row for row, _ in pairs], asked, is_search=False)


def _of_rows(task: Task, rows: list[int]) -> Task:
    return replace(
        task,
        sources=[task.sources[row] for row in rows],
        limits=[task.limits[row] for row in rows],
        prefixes=[task.prefixes[row] for row in rows],
    )


def complete_ones(
    wanted: list[Wanted], found: list[Hypothesis], tokenizer: Tokenizer
) -> list[Hypothesis]:
    """Those that have all that is wanted, in their order; all of them if none has."""
    if not wanted:
        return found
    return [h for h in found if _is_complete(wanted, h, tokenizer)] or found


def term_alone(text: str, wanted: list[Wanted]) -> tuple[str, list[Link]] | None:
    """The translation of a sentence that has nothing but a term in it, as a cell of a table may:
    what the term is called, with the marks around it."""
    if len(wanted) != 1 or wanted[0].is_tag:
        return None
    start, end = wanted[0].source
    if any(map(str.isalnum, text[:start] + text[end:])):
        return None
    called = wanted[0].text
    link = Link((start, end), (start, start + len(called)), 1.0)
    return text[:start] + called + text[end:], [link]


def _phrases(wanted: list[Wanted], tokenizer: Tokenizer) -> list[list[int]]:
    """What a search is told to write, in tokens: as much as it can keep in sight."""
    found: list[list[int]] = []
    room = MOST_FORCED
    for want in wanted:
        ids = tokenizer.encode(want.text)
        is_writable = UNK not in ids and tokenizer.decode(ids) == want.text
        if is_writable and want.joint is not Joint.WORD and len(ids) <= room:
            found.append(ids)
            room -= len(ids)
    return found


def _is_complete(wanted: list[Wanted], hypothesis: Hypothesis, tokenizer: Tokenizer) -> bool:
    return not lacking(wanted, tokenizer.decode(hypothesis.tokens))
