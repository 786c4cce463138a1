"""What must stand in translations, with a model."""

from __future__ import annotations

import re
from typing import Literal
from unicodedata import normalize

import pytest

from heedful.terminology import Wishes
from heedful.text.parts import Part
from heedful.text.untagged import read_all
from heedful.translator import Translator

from .trained import sentences

Form = Literal["NFC", "NFD"]
LINE = next(line for line, _ in sentences() if line.count("cat") == 2)
CATS = [match.span() for match in re.finditer("cat", LINE)]


@pytest.fixture(scope="module")
def plain(prose: Translator) -> str:
    return prose.translate(LINE).text


def test_a_term_stands_there_as_often_as_in_the_source(prose: Translator, plain: str) -> None:
    assert "besto" not in plain
    assert prose.translate(LINE, glossary={"cat": "besto"}).text.split().count("besto") == 2


def test_an_article_is_written_once(prose: Translator, plain: str) -> None:
    """In the little language, one stands before each noun."""
    assert plain.startswith("La ")
    text = prose.translate(LINE, glossary={"cat": "la besto"}).text
    assert text.startswith("La besto ")
    assert text.lower().count("la besto") == 2
    assert "la la" not in text.lower()


def test_what_is_put_in_has_its_link(prose: Translator) -> None:
    found = prose.translate(LINE, glossary={"cat": "la besto"}, align=True)
    put_in = [link for link in found.links if LINE[slice(*link.source)] == "cat"]
    assert {link.source for link in put_in} == set(CATS)
    assert {found.text[slice(*link.target)].lower() for link in put_in} == {"la besto"}
    assert all(0 <= link.score <= 1 for link in put_in)
    assert list(found.links) == sorted(found.links, key=lambda link: link.target)


@pytest.mark.parametrize(("line", "text"), [("cat", "besto"), ("(Cat)!", "(besto)!")])
def test_a_term_alone_is_all_there_is(prose: Translator, line: str, text: str) -> None:
    found = prose.translate(line, glossary={"cat": "besto"}, align=True)
    assert found.text == text
    (link,) = found.links
    assert line[slice(*link.source)].lower() == "cat"
    assert found.text[slice(*link.target)] == "besto"


@pytest.mark.parametrize(("form", "other"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_letters_in_one_character_or_in_two(prose: Translator, form: Form, other: Form) -> None:
    line = normalize(form, "The é sees.")
    found = prose.translate(
        line, glossary={normalize(other, "é"): normalize(other, "éo")}, align=True
    )
    (put_in,) = [link for link in found.links if found.text[slice(*link.target)] == "éo"]
    assert line[slice(*put_in.source)] == normalize(form, "é")


def test_what_is_called_is_in_nfc() -> None:
    (found,) = Wishes.of({"x": "cafe\u0301"}, [], False).glossary.in_text("x")
    assert found.text == "café"


def test_what_stays_as_it_is_stays_in_the_sentence_that_has_it() -> None:
    line = "One. Two three four."
    parts = [
        Part(0, before, (), text, start, read_all(text))
        for before, text, start in (("", "One.", 0), (" ", "Two three four.", 5))
    ]
    wishes = Wishes.of({"three": "drei", "four": "vier"}, (), copy=True)
    kept = [(0, 3), (9, 14)]
    found = [[(want.text, want.source) for want in wishes.in_part(p, kept)] for p in parts]
    assert [line[slice(*span)] for span in kept] == ["One", "three"]
    assert found == [[("One", (0, 3))], [("three", (4, 9)), ("vier", (10, 14))]]


@pytest.mark.parametrize("tags", [("<b>", "</b>"), ('<a href="x.org/5" id="12">', "</a>")])
def test_tags_around_words_change_no_word(prose: Translator, tags: tuple[str, str]) -> None:
    """A model that has never seen one reads none."""
    line, translated = sentences()[0]
    noun = line.split()[1]
    tagged = line.replace(noun, noun.join(tags), 1)
    found = prose.translate(tagged, copy=True, align=True)
    assert re.sub("<[^<>]*>", "", found.text) == prose.translate(line).text == translated
    between = re.search(rf"{tags[0]}(.*){tags[1]}", found.text)
    assert between is not None
    looking = [tagged[slice(*a.source)] for a in found.links if a.target == between.span(1)]
    assert looking == [noun.join(tags)]
