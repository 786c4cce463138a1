"""A translation as it comes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from heedful.engines.engine import Task
from heedful.planning import Plan, Planner
from heedful.serve.models import Served
from heedful.serve.snapshot import Snapshot
from heedful.serve.stream import stream_text
from heedful.serve.translation_options import USUAL, TranslationOptions
from heedful.translator import Translator

from .noted import FIRST, SECOND, Noted


def test_a_stream_keeps_the_marks_of_lines(noted: Noted, prose: Translator) -> None:
    found = asyncio.run(streamed(noted, f"- {FIRST}\n> {SECOND}"))
    assert found == f"- {prose.translate(FIRST).text}\n> {prose.translate(SECOND).text}"


def test_a_prefix_leaves_lines_without_words_alone(noted: Noted, prose: Translator) -> None:
    found = asyncio.run(streamed(noted, f"{FIRST}\n42", options=TranslationOptions(prefix="La")))
    assert found == f"{prose.translate(FIRST, prefix='La').text}\n42"


async def streamed(
    noted: Noted, text: str, pieces: Sequence[Any] = (), options: TranslationOptions = USUAL
) -> str:
    """Of each sentence these pieces, or its whole translation."""

    async def stream(model: Snapshot, task: Task) -> AsyncIterator[Any]:
        for piece in pieces:
            yield piece
        yield await noted.search(task)

    return "".join(
        [piece async for piece in stream_text(cast(Served, noted), stream, text, options)]
    )


def test_a_stream_goes_through_its_sentences_once(noted: Noted, prose: Translator) -> None:
    """However many lines there are, and those of a long text in a thread."""
    looks = []

    class Counted(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            looks.append(1)
            return super().__iter__()

    class Watched(Planner):
        def plan(self, *lines: Any, **options: Any) -> Plan:
            looks.append(threading.current_thread() is threading.main_thread())
            plan = super().plan(*lines, **options)
            return replace(plan, parts=Counted(plan.parts))

    noted.planner = Watched(prose.card, prose.source_tokenizer, prose.target_tokenizer)
    lines = [f"{FIRST} {SECOND}", "", SECOND] * 60
    found = asyncio.run(streamed(noted, "\n".join(lines)))
    one, other = (prose.translate(text).text for text in (FIRST, SECOND))
    assert found.split("\n") == [f"{one} {other}", "", other] * 60
    assert looks == [False, 1]


def test_a_stream_that_is_not_its_translation_is_a_fault(noted: Noted, prose: Translator) -> None:
    ids = prose.target_tokenizer.encode("La kato vidas la hundon")
    with pytest.raises(RuntimeError, match="not what was sent"):
        asyncio.run(streamed(noted, FIRST, [ids]))
