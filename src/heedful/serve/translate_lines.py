"""Lines -> their translations: planned here, searched for by an engine, put together here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from heedful.planning import Plan, Translation
from heedful.serve.aside import aside
from heedful.serve.lanes import Answers
from heedful.serve.models import Served
from heedful.serve.translation_options import USUAL, TranslationOptions
from heedful.terminology import Wishes
from heedful.text.copied import has_words
from heedful.text.links import Span


async def translate_lines(
    served: Served,
    lines: Sequence[str],
    options: TranslationOptions = USUAL,
    *,
    prefixes: Sequence[str] = (),
    kept: Sequence[Sequence[Span]] = (),
    again: bool = False,
) -> list[Translation]:
    """One for each line; the first of several is the one that is found if no others are asked for.
    `prefixes` are what each begins with; `kept` tells where it has what stays as it is. `again` if
    something was translated for the same request before: it has its place in the queue."""
    planner, length, nbest = served.planner, sum(map(len, lines)), options.nbest

    def planned() -> tuple[list[int], Plan]:
        rows = _worth_asking(lines, prefixes, kept, options.wishes)
        texts = [lines[row] for row in rows]
        begun = [prefixes[row] for row in rows] if prefixes else None
        stays = [kept[row] for row in rows] if kept else ()
        return rows, planner.plan(
            texts,
            nbest=nbest,
            prefix=begun,
            wishes=options.wishes,
            kept=stays,
            align=options.align,
            **options.settings,
        )

    rows, plan = await aside(length, planned)
    found = await _found(served, plan, length, again=again)
    done = await aside(length, lambda: planner.finish(plan, found))
    if nbest > 1:
        alone = planner.alone(plan, **options.settings)
        if alone.task.config != plan.task.config:  # the search was a wider one
            found = await _found(served, alone, length, again=True)
        first = await aside(length, lambda: planner.finish(alone, found))
        done = [_with_others(one, some.nbest, nbest) for one, some in zip(first, done, strict=True)]
    by_row = dict(zip(rows, done, strict=True))
    return [by_row.get(row) or Translation(line, 0.0, ()) for row, line in enumerate(lines)]


def _worth_asking(
    lines: Sequence[str],
    prefixes: Sequence[str],
    kept: Sequence[Sequence[Span]],
    wishes: Wishes,
) -> list[int]:
    """The rows of lines that have words, or are to begin with some. A number, an address, a mark
    alone is its own translation, unless it is a term: a model would make a sentence of it."""
    said = map(_without, lines, kept) if kept else lines
    return [
        row
        for row, line in enumerate(said)
        if (prefixes and prefixes[row]) or has_words(line) or wishes.has_term(line)
    ]


def _without(line: str, kept: Sequence[Span]) -> str:
    """The rest of it."""
    ends = [0, *(end for _, end in kept)]
    starts = [*(start for start, _ in kept), len(line)]
    return " ".join(line[end:start] for end, start in zip(ends, starts, strict=True))


async def _found(served: Served, plan: Plan, length: int, *, again: bool) -> Answers:
    """All that the engine answers, with a second look where something is missing."""
    found = await served.search(plan.task, again=again) if plan.parts else []
    if any(plan.wanted):
        look = await aside(length, lambda: served.planner.second_look(plan, found))
        if look:
            more = await served.search(look.task, again=True)
            return await aside(length, partial(look.put_in, found, more))
    return found


def _with_others(first: Translation, found: Sequence[Translation], nbest: int) -> Translation:
    """The first, then those that say something and read otherwise, so many in all."""
    others = [one for one in found if one.text and one.text != first.text]
    return replace(first, nbest=(first, *others)[:nbest])


def prefixes_of(prefix: str, lines: Sequence[str], gaps: Sequence[str]) -> list[str]:
    """Of each line: a text's prefix is that of its first. A mark that this begins with is written
    anyway."""
    return [prefix.removeprefix(gaps[0].lstrip()), *[""] * len(lines)][: len(lines)]
