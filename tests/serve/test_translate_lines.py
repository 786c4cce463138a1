"""Lines, and where the work for them is done."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, cast

import pytest

from heedful.planning import Plan, Planner
from heedful.serve.aside import SHORT
from heedful.serve.models import Served
from heedful.serve.translate_lines import translate_lines
from heedful.serve.translation_options import TranslationOptions
from heedful.terminology import Wishes
from heedful.text.copied import has_words
from heedful.translator import Translator

from .noted import FIRST, Noted


class Watched(Planner):
    """Notes where it works."""

    steps: list[tuple[str, bool]]

    def _note(self, step: str) -> None:
        self.steps.append((step, threading.current_thread() is threading.main_thread()))

    def plan(self, *texts: Any, **options: Any) -> Plan:
        self._note("plan")
        return super().plan(*texts, **options)

    def second_look(self, *about: Any) -> Any:
        self._note("look")
        found = super().second_look(*about)
        if found is None:
            return None
        put_in = found.put_in

        def noted(*what: Any) -> Any:
            self._note("put in")
            return put_in(*what)

        object.__setattr__(found, "put_in", noted)
        return found

    def finish(self, *about: Any) -> Any:
        self._note("finish")
        return super().finish(*about)


LOOKED = ["look", "put in"]


@pytest.mark.parametrize(
    ("text", "glossary", "looks", "is_short"),
    [
        (FIRST, {}, [], True),  # nobody wants anything that could be missing
        (FIRST, {"cat": "felo", "here": "xx"}, LOOKED, True),
        (FIRST * (SHORT // len(FIRST) + 1), {"cat": "felo", "here": "xx"}, LOOKED, False),
    ],
)
def test_what_takes_long_is_done_in_threads(
    noted: Noted, prose: Translator, text: str, glossary: dict[str, str], looks: list[str],
    is_short: bool, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    planner = Watched(prose.card, prose.source_tokenizer, prose.target_tokenizer)
    planner.steps = []
    noted.planner = planner

    def watched(text: str) -> bool:
        planner._note("words")
        return has_words(text)

    monkeypatch.setattr("heedful.serve.translate_lines.has_words", watched)
    wishes = Wishes.of(glossary, (), copy=True)
    asyncio.run(translate_lines(cast(Served, noted), [text], TranslationOptions(wishes=wishes)))
    assert [step for step, _ in planner.steps] == ["words", "plan", *looks, "finish"]
    assert {is_here for _, is_here in planner.steps} == {is_short}


def test_what_has_no_words_is_its_own_translation(noted: Noted, prose: Translator) -> None:
    """A model would make a sentence of a number in a table."""
    lines = ["42", FIRST, "https://example.org/a", "---", "{name}", ""]
    found = asyncio.run(translate_lines(cast(Served, noted), lines))
    texts = [line.text for line in found]
    assert texts == [*lines[:1], prose.translate(FIRST).text, *lines[2:]]
    assert [len(task.sources) for task in noted.tasks] == [1]


def test_a_term_may_have_no_words(noted: Noted) -> None:
    lines = ["MP3", "(5)", "15", "https://example.org/5"]
    terms = {"mp3": "MP3-dosiero", " 5 ": "kvin"}
    wishes = Wishes.of(terms, (), copy=True)
    found = asyncio.run(
        translate_lines(cast(Served, noted), lines, TranslationOptions(wishes=wishes))
    )
    assert [line.text for line in found] == ["MP3-dosiero", "(kvin)", *lines[2:]]


def test_what_stays_as_it_is_in_one_line_is_translated_in_another(noted: Noted) -> None:
    word = FIRST.split()[1]
    start = FIRST.index(word)
    kept = [[(start, start + len(word))], []]
    found = asyncio.run(translate_lines(cast(Served, noted), [FIRST, FIRST], kept=kept))
    assert [word in line.text.split() for line in found] == [True, False]


def test_a_line_that_says_nothing_but_what_stays_is_not_translated(noted: Noted) -> None:
    found = asyncio.run(translate_lines(cast(Served, noted), ["call 5"], kept=[[(0, 4)]]))
    assert [line.text for line in found] == ["call 5"]
    assert not noted.tasks
