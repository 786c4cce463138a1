"""Terms that stand in a text."""

from __future__ import annotations

import time
from typing import Literal
from unicodedata import normalize

import pytest

from heedful.terminology import Wishes
from heedful.text.copied import copied
from heedful.text.glossary import Glossary
from heedful.text.parts import Part
from heedful.text.untagged import read_all
from heedful.text.wanted import without_parts

Form = Literal["NFC", "NFD"]


def called(text: str, glossary: dict[str, str]) -> list[str]:
    return [want.text for want in Glossary(glossary).in_text(text)]


def test_terms_are_whole_words_and_the_longest_wins() -> None:
    glossary = {"light": "Licht", "traffic light": "Ampel", "C++": "C++"}
    assert called("The traffic light is red.", glossary) == ["Ampel"]
    assert called("The traffic\n light, the traffic.", glossary) == ["Ampel"]
    assert called("Light and lightning.", glossary) == ["Licht"]
    assert called("C++ is a language", glossary) == ["C++"]
    assert called("Lightning.", glossary) == []
    assert called("Light.", {}) == []
    found = Glossary(glossary).in_text("A light, a Light")
    assert [want.source for want in found] == [(2, 7), (11, 16)]


@pytest.mark.parametrize("bike", ["bike", "mountain\n bike", "bike\u0301"])
def test_of_terms_that_differ_in_case_the_one_that_is_spelt_so_wins(bike: str) -> None:
    term = " ".join(normalize("NFC", bike).split())
    glossary = {term: "Rad", term.title(): "Fahrrad"}
    text = f"The {bike}, the {bike.title()}, the {bike.upper()}"
    assert called(text, glossary) == ["Rad", "Fahrrad", "Rad"]
    assert called(text, dict(reversed(glossary.items()))) == ["Rad", "Fahrrad", "Fahrrad"]


def test_a_term_that_is_kept_stays_as_it_stands() -> None:
    wishes = Wishes.of({"iphone": "iPhone"}, ["New York", "Rex"], copy=False)
    text = "NEW YORK, new  york, Rex, REX, IPHONE"
    found = [want.text for want in wishes.glossary.in_text(text)]
    assert found == ["NEW YORK", "new york", "Rex", "REX", "iPhone"]
    both = Wishes.of({"iphone": "Handy"}, ["iPhone"], copy=False).glossary
    assert [want.text for want in both.in_text("iPhone, iphone")] == ["iPhone", "Handy"]


@pytest.mark.parametrize(
    ("text", "term"),
    [("İ Hund", "Hund"), ("in İstanbul.", "İstanbul"), ("GROẞ", "groß"), ("ὁδός", "ὉΔΌΣ")],
)
def test_letters_that_have_no_small_form_of_one_letter(text: str, term: str) -> None:
    (found,) = Glossary({term: "x"}).in_text(text)
    assert text[slice(*found.source)].lower() in text.lower()
    assert len(text[slice(*found.source)]) == len(term)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Un café noir, un thé", "café noir"),
        ("Ein Café NOIR", "Café NOIR"),
        ("읽는 한국어 책", "한국어"),
        ("x ≠ y", "≠"),
        ("Ångström-Skala", "Ångström"),
        ("\u01f0 is \u01f0", "\u01f0 is"),
    ],
)
@pytest.mark.parametrize("in_text", ["NFC", "NFD"])
@pytest.mark.parametrize("in_glossary", ["NFC", "NFD"])
def test_letters_in_one_character_or_in_two(
    text: str, place: str, in_text: Form, in_glossary: Form
) -> None:
    text, place = normalize(in_text, text), normalize(in_text, place)
    (found,) = Glossary({normalize(in_glossary, place).lower(): "x"}).in_text(text)
    assert text[slice(*found.source)] == place
    assert found.source[0] == text.index(place)


def test_an_accent_is_a_part_of_its_word() -> None:
    assert called("Re\u0301sume\u0301", {"re": "x", "sume": "x", "resume": "x"}) == []
    assert called("कि", {"क": "x"}) == []


def test_what_stands_inside_another_is_not_wanted_too() -> None:
    text = "See http://dog.com/7 about 7 dogs"
    glossary = Glossary({"dog": "Hund", "7 dogs": "sieben Hunde"})
    found = without_parts([*copied(text), *glossary.in_text(text)])
    assert [want.text for want in found] == ["http://dog.com/7", "sieben Hunde"]


def seconds(glossary: Glossary, text: str) -> float:
    """The least of five, of this process."""
    times = []
    for _ in range(5):
        started = time.process_time()
        glossary.in_text(text)
        times.append(time.process_time() - started)
    return min(times)


@pytest.mark.parametrize("unit", ["ab cd ", "aa ", "- a", "日"])
def test_terms_of_any_lengths_cost_a_text_nothing(unit: str) -> None:
    """By growth: ten times the text takes about ten times as long, two hundred lengths as long as
    two. They took two hundred times as long."""
    two = Glossary({"a": "x", "aa": "x"})
    many = Glossary({"a" * n: "x" for n in range(1, 201)})
    small, large = unit * 2000, unit * 20_000
    assert seconds(many, large) < 20 * seconds(many, small) + 0.01
    assert seconds(many, large) < 3 * seconds(two, large) + 0.01


def test_the_worst_of_glossaries_is_bounded_by_its_longest_term() -> None:
    glossary = Glossary({"-" * n + "x": "x" for n in range(1, 200)})
    assert seconds(glossary, "-" * 50_000) < 3


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("MP3", "an MP3 player"),
        ("3", "buys 3 dogs"),
        ("https://a.org", "at https://a.org we"),
        ("{name}", "A {name} dog"),
    ],
)
def test_what_is_fixed_and_a_term_is_called_as_the_term_is(term: str, text: str) -> None:
    wishes = Wishes.of({term: "else"}, [], copy=True)
    (found,) = wishes.in_part(Part(0, "", (), text, 0, read_all(text)))
    assert (found.text, text[slice(*found.source)]) == ("else", term)


@pytest.mark.parametrize("text", ["See http://dog.com/dog dog.", "The {dog} dog", "x@dog.com, dog"])
def test_a_term_that_also_stands_inside_something_fixed_is_wanted_where_it_is_a_word(
    text: str,
) -> None:
    fixed = [want.source for want in copied(text)]
    (found,) = Glossary({"dog": "Hund"}).in_text(text, fixed)
    assert found.source[0] == text.rindex("dog")
    assert Glossary({"dog": "Hund"}).in_text(text[: text.rindex("dog")], fixed) == []
