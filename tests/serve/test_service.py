"""Who is asked for what."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import cast

import pytest

from heedful.documents.formats import open_document
from heedful.engines.engine import Task
from heedful.planning import Planner
from heedful.serve.batching import Answers
from heedful.serve.desk import Desk
from heedful.serve.models import Served
from heedful.serve.service import PASSAGES, translate_document, translate_html
from heedful.translator import Translator

from ..trained import sentences

FIRST, SECOND = (pair[0] for pair in sentences()[:2])


@dataclass
class Noted:
    """A model that notes what it is asked."""

    prose: Translator
    planner: Planner
    tasks: list[Task] = field(default_factory=list)

    async def search(self, task: Task) -> Answers:
        self.tasks.append(task)
        return self.prose.engine.search(task)


@pytest.fixture
def noted(prose: Translator) -> Noted:
    planner = Planner(prose.card, prose.source_tokenizer, prose.target_tokenizer)
    return Noted(prose, planner)


def test_only_mixed_passages_are_aligned(noted: Noted, prose: Translator) -> None:
    """To tell which word came from which costs more, and not every engine can."""
    words = FIRST.split()
    mixed = f"<p><b>{words[0]}</b> {' '.join(words[1:])}</p>"
    page = f"<h1>{SECOND}</h1>{mixed}<p>{SECOND}</p>"
    found = asyncio.run(translate_html(cast(Served, noted), [page, SECOND]))
    assert [(task.aligned, len(task.sources)) for task in noted.tasks] == [(False, 3), (True, 1)]
    one, other = prose.translate(FIRST), prose.translate(SECOND)
    text = found[0][0].text.replace("<b>", "").replace("</b>", "")
    assert text == f"<h1>{other.text}</h1><p>{one.text}</p><p>{other.text}</p>"
    assert found[1][0].text == other.text
    assert found[0][0].score == pytest.approx((one.score + 2 * other.score) / 3, abs=1e-4)


def test_alternatives_of_a_page_have_their_scores(noted: Noted, prose: Translator) -> None:
    (found,) = asyncio.run(translate_html(cast(Served, noted), [f"<p>{FIRST}</p>"], nbest=3))
    wanted = prose.translate(FIRST, nbest=3).nbest
    assert [t.text for t in found] == [f"<p>{t.text}</p>" for t in wanted]
    assert [t.score for t in found] == pytest.approx([t.score for t in wanted], abs=1e-4)


def test_a_document_is_translated_some_passages_at_a_time(noted: Noted, prose: Translator) -> None:
    lines = [FIRST, SECOND] * (PASSAGES // 2) + [SECOND]
    document = open_document("\n".join(lines).encode(), "txt", unpacked=0)

    async def scene() -> bytes:
        with Desk(1).place() as place:
            return await translate_document(cast(Served, noted), document, place, beam=1)

    done = asyncio.run(scene()).decode().split("\n")
    assert [len(task.sources) for task in noted.tasks] == [PASSAGES, 1]
    one, other = (prose.translate(text, beam=1).text for text in (FIRST, SECOND))
    assert done == [one, other] * (PASSAGES // 2) + [other]
