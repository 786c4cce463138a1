"""A text -> its translation, piece by piece, as the worker finds it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from itertools import groupby
from typing import Any

from heedful.engines.engine import Task
from heedful.serve.aside import aside
from heedful.serve.models import Served
from heedful.serve.snapshot import Snapshot
from heedful.serve.translate_lines import prefixes_of
from heedful.serve.translation_options import USUAL, TranslationOptions
from heedful.text.copied import has_words
from heedful.text.paragraphs import split_paragraphs
from heedful.text.parts import gap

Stream = Callable[[Snapshot, Task], AsyncIterator[Any]]
"""What the worker finds, as it finds it."""


async def stream_text(
    served: Served, stream: Stream, text: str, options: TranslationOptions = USUAL
) -> AsyncIterator[str]:
    """The translation of a text, piece by piece: what has come can no longer change."""
    lines, gaps = split_paragraphs(text)
    begun = prefixes_of(options.prefix, lines, gaps)
    # Without any wishes: what is sent cannot be mended.
    plan = await aside(
        len(text), lambda: served.planner.plan(lines, prefix=begun, **options.settings)
    )
    is_worded = await aside(len(text), lambda: list(map(has_words, lines)))
    rows = {
        line: list(of_line)
        for line, of_line in groupby(enumerate(plan.parts), key=lambda row: row[1].line)
    }
    yield gaps[0]
    for number, (line, behind) in enumerate(zip(lines, gaps[1:], strict=True)):
        written = ""
        if not begun[number] and not is_worded[number]:
            yield line + behind
            continue
        for row, part in rows.get(number, ()):
            is_first = True
            async for more in _stream_part(served, stream, plan.task, row):
                between = gap(written, part.before, more) if is_first else ""
                yield between + more
                written, is_first = written + between + more, False
        yield behind


async def _stream_part(served: Served, stream: Stream, task: Task, row: int) -> AsyncIterator[str]:
    """One sentence."""
    one = replace(
        task,
        sources=[task.sources[row]],
        limits=[task.limits[row]],
        prefixes=[task.prefixes[row]],
    )
    tokenizer = served.planner.target_tokenizer
    ids: list[int] = []
    text = told = ""
    async for found in stream(served.snapshot, one):
        if found and isinstance(found[0], list):  # all of it, at last
            ids, held_back = list(found[0][0].tokens), 0
        else:
            ids, held_back = ids + found, int(tokenizer.jamo)  # letters to come may join the last
        text = tokenizer.decode(ids).rstrip("\ufffd")  # half a character waits for the rest
        text = text[: len(text) - held_back]
        if len(text) > len(told) and text.startswith(told):
            yield text[len(told) :]
            told = text
    if text != told:
        raise RuntimeError("a translation that is not what was sent of it")
