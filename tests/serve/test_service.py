"""Who is asked for what."""

from __future__ import annotations

import asyncio
import re
from typing import cast

import pytest

from heedful.documents.formats import open_document
from heedful.planning import Planner
from heedful.serve.desk import Desk
from heedful.serve.models import Served
from heedful.serve.service import PASSAGES, translate_document, translate_html, translate_texts
from heedful.serve.translation_options import TranslationOptions
from heedful.translator import Translator

from ..trained import backwards
from .noted import FIRST, SECOND, Noted


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


def test_a_page_says_the_language_that_it_is_in_now(noted: Noted, prose: Translator) -> None:
    (found,) = asyncio.run(translate_html(cast(Served, noted), [f"<p lang=en>{FIRST}</p>"]))
    assert found[0].text == f"<p lang=eo>{prose.translate(FIRST).text}</p>"
    document = open_document(f"<p lang='en-GB'>{FIRST}</p>".encode(), "html", unpacked=0)

    async def scene() -> bytes:
        with Desk(1).place() as place:
            return await translate_document(cast(Served, noted), document, place)

    assert asyncio.run(scene()).decode() == f"<p lang='eo'>{prose.translate(FIRST).text}</p>"


def test_alternatives_of_a_page_have_their_scores(noted: Noted, prose: Translator) -> None:
    (found,) = asyncio.run(
        translate_html(cast(Served, noted), [f"<p>{FIRST}</p>"], TranslationOptions(nbest=3))
    )
    wanted = prose.translate(FIRST, nbest=3).nbest
    assert [t.text for t in found] == [f"<p>{t.text}</p>" for t in wanted]
    assert [t.score for t in found] == pytest.approx([t.score for t in wanted], abs=1e-4)


def test_others_do_not_change_the_translation(chars: Translator) -> None:
    """Though they want a wider search than the model's own."""
    lines = [word for word, _ in backwards(30)]
    decoding = chars.card.decoding.model_copy(update={"beam": 1})
    card = chars.card.model_copy(update={"decoding": decoding})
    noted = Noted(chars, Planner(card, chars.source_tokenizer, chars.target_tokenizer))
    own, wide = chars.translate(lines, beam=1), chars.translate(lines, beam=3, nbest=3)
    assert any(one.text != several.text for one, several in zip(own, wide, strict=True))
    found = asyncio.run(translate_texts(cast(Served, noted), lines, TranslationOptions(nbest=3)))
    for (first, *others), one, several in zip(found, own, wide, strict=True):
        assert first.text == one.text
        assert first.score == pytest.approx(one.score, abs=1e-4)
        wanted = dict.fromkeys(t.text for t in several.nbest if t.text not in ("", first.text))
        assert [other.text for other in others] == list(wanted)[:2]
    assert [(task.config.beam, task.nbest) for task in noted.tasks] == [(3, 3), (1, 1)]


def test_a_document_is_translated_some_passages_at_a_time(noted: Noted, prose: Translator) -> None:
    lines = [FIRST, SECOND] * (PASSAGES // 2) + [SECOND]
    document = open_document("\n".join(lines).encode(), "txt", unpacked=0)

    async def scene() -> bytes:
        with Desk(1).place() as place:
            return await translate_document(
                cast(Served, noted), document, place, TranslationOptions(beam=1)
            )

    done = asyncio.run(scene()).decode().split("\n")
    assert [len(task.sources) for task in noted.tasks] == [PASSAGES, 1]
    one, other = (prose.translate(text, beam=1).text for text in (FIRST, SECOND))
    assert done == [one, other] * (PASSAGES // 2) + [other]


def test_marks_of_lines_stay(noted: Noted, prose: Translator) -> None:
    """Whatever the model makes of them."""
    text = f"# {FIRST}\n\n- {SECOND}\n  1. {FIRST}\n  2. {SECOND}\n-5"
    (found,) = asyncio.run(
        translate_texts(cast(Served, noted), [text], TranslationOptions(align=True))
    )
    one, other = (prose.translate(line, align=True) for line in (FIRST, SECOND))
    marked = f"# {one.text}\n\n- {other.text}\n  1. {one.text}\n  2. {other.text}\n-5"
    assert found[0].text == marked
    words = [
        (line[slice(*link.source)], translation.text[slice(*link.target)])
        for line, translation in 2 * ((FIRST, one), (SECOND, other))
        for link in translation.links
    ]
    assert words == [
        (text[slice(*link.source)], found[0].text[slice(*link.target)]) for link in found[0].links
    ]


def test_marks_stay_in_pages_and_files(noted: Noted, prose: Translator) -> None:
    """In their elements, whatever the model makes of them."""
    first, rest = FIRST.split(" ", 1)
    page = (
        f"<h1># {SECOND}</h1><p>-  <b>{first}</b> {rest}</p><p><b>1.</b> {FIRST}</p>"
        f"<p><b>2.</b> {SECOND}</p><p>&gt; 42</p>"
    )
    (found,) = asyncio.run(translate_html(cast(Served, noted), [page]))
    assert [(task.aligned, len(task.sources)) for task in noted.tasks] == [(False, 3), (True, 1)]
    one, other = (prose.translate(line).text for line in (FIRST, SECOND))
    wanted = (
        f"<h1># {other}</h1><p>-  {one}</p><p><b>1.</b> {one}</p><p><b>2.</b> {other}</p>"
        "<p>&gt; 42</p>"
    )
    (mixed,) = re.findall("<p>-  .*?</p>", found[0].text)
    plain = re.sub("</?b>", "", mixed)
    assert "<b>" in mixed
    assert found[0].text.replace(mixed, plain) == wanted
    document = open_document(page.encode(), "html", unpacked=0)

    async def scene() -> bytes:
        with Desk(1).place() as place:
            return await translate_document(cast(Served, noted), document, place)

    assert asyncio.run(scene()).decode() == found[0].text


@pytest.mark.parametrize("prefix", ["La", "- La"])
def test_a_prefix_stands_behind_the_mark(noted: Noted, prose: Translator, prefix: str) -> None:
    asked = translate_texts(
        cast(Served, noted), [f" - {FIRST}\n- {SECOND}"], TranslationOptions(prefix=prefix)
    )
    one, other = prose.translate(FIRST, prefix="La"), prose.translate(SECOND)
    assert asyncio.run(asked)[0][0].text == f" - {one.text}\n- {other.text}"


def test_a_prefix_leaves_lines_without_words_alone(noted: Noted, prose: Translator) -> None:
    text = f"{FIRST}\n42\n---\n{SECOND}"
    asked = translate_texts(cast(Served, noted), [text], TranslationOptions(prefix="La"))
    one, other = prose.translate(FIRST, prefix="La"), prose.translate(SECOND)
    assert asyncio.run(asked)[0][0].text == f"{one.text}\n42\n---\n{other.text}"


def test_what_was_let_in_keeps_its_place(noted: Noted) -> None:
    """Only the first search of a request may be refused."""
    served = cast(Served, noted)
    mixed = f"<p>{FIRST}</p><p>{FIRST} <b>{SECOND}</b></p>"
    asyncio.run(translate_html(served, [mixed]))
    assert noted.again == [False, True]
    wide = noted.card.decoding.beam + 1
    asyncio.run(translate_texts(served, [FIRST], TranslationOptions(nbest=wide)))
    assert noted.again[2:] == [False, True]
    text = "\n\n".join([FIRST] * (PASSAGES + 1)).encode()

    async def scene() -> None:
        with Desk(1).place() as place:
            await translate_document(served, open_document(text, "txt", unpacked=0), place)

    asyncio.run(scene())
    assert noted.again[4:] == [False, True]
