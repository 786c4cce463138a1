"""Lines -> their translations: planned here, searched for by an engine, put together here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from heedful.planning import Plan, Translation
from heedful.serve.aside import aside
from heedful.serve.lanes import Answers
from heedful.serve.models import Served
from heedful.terminology import Wishes
from heedful.text.copied import has_words
from heedful.text.links import Span

USUAL = Wishes.of(None, (), copy=True)
"""Numbers, addresses, tags and placeholders stay as they are."""


async def translate_lines(
    served: Served,
    lines: Sequence[str],
    prefixes: Sequence[str] = (),
    kept: Sequence[Sequence[Span]] = (),
    wishes: Wishes = USUAL,
    **options: Any,
) -> list[Translation]:
    """One for each line. A number, an address, a mark alone is its own translation, unless it is a
    term: a model would make a sentence of it. `again` if something was translated for the same
    request before: it has its place in the queue."""
    begun = prefixes or [""] * len(lines)
    stay = kept or [()] * len(lines)
    said = list(map(_without, lines, stay)) if kept else lines
    says_something = await aside(
        sum(map(len, lines)), lambda: [has_words(line) or wishes.has_term(line) for line in said]
    )
    rows = [row for row, one in enumerate(says_something) if begun[row] or one]
    options |= {"prefix": [begun[row] for row in rows], "kept": [stay[row] for row in rows]}
    options["wishes"] = wishes
    found = await _translate_some(served, [lines[row] for row in rows], **options)
    done = dict(zip(rows, found, strict=True))
    return [done.get(row) or Translation(line, 0.0, ()) for row, line in enumerate(lines)]


def _without(line: str, kept: Sequence[Span]) -> str:
    """The rest of it."""
    ends = [0, *(end for _, end in kept)]
    starts = [*(start for start, _ in kept), len(line)]
    return " ".join(line[end:start] for end, start in zip(ends, starts, strict=True))


async def _translate_some(
    served: Served, lines: Sequence[str], *, nbest: int = 1, again: bool = False, **options: Any
) -> list[Translation]:
    """The first of each is the one that is found if no others are asked for."""
    length = sum(map(len, lines))
    plan, found = await _found(served, lines, again, nbest=nbest, **options)
    done = await aside(length, lambda: served.planner.finish(plan, found))
    if nbest == 1:
        return done
    alone = replace(plan, nbest=1)
    if nbest > options.get("beam", served.planner.card.decoding.beam):  # the search was a wider one
        alone, found = await _found(served, lines, True, nbest=1, **options)
    first = await aside(length, lambda: served.planner.finish(alone, found))
    return [
        _with_others(one, several.nbest, nbest) for one, several in zip(first, done, strict=True)
    ]


async def _found(
    served: Served, lines: Sequence[str], again: bool, **options: Any
) -> tuple[Plan, Answers]:
    """What was asked of the engine, and all that it answers."""
    length = sum(map(len, lines))
    plan = await aside(length, lambda: served.planner.plan(lines, **options))
    found = await served.search(plan.task, again=again) if plan.parts else []
    look = await aside(length, lambda: served.planner.second_look(plan, found))
    if look:
        more = await served.search(look.task, again=True)
        found = await aside(length, partial(look.put_in, found, more))
    return plan, found


def _with_others(first: Translation, found: Sequence[Translation], nbest: int) -> Translation:
    """The first, then those that say something and read otherwise, so many in all."""
    others = [one for one in found if one.text and one.text != first.text]
    return replace(first, nbest=(first, *others)[:nbest])


def prefixes_of(prefix: str, lines: Sequence[str], gaps: Sequence[str]) -> list[str]:
    """Of each line: a text's prefix is that of its first. A mark that this begins with is written
    anyway."""
    return [prefix.removeprefix(gaps[0].lstrip()), *[""] * len(lines)][: len(lines)]
