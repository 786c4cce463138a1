"""What must stand in a translation, and whether it does."""

from __future__ import annotations

import time

import pytest

from heedful.text.copied import copied
from heedful.text.glossary import Glossary
from heedful.text.wanted import lacking


def test_lacking_counts() -> None:
    sevens = copied("7 and 7")
    assert lacking(sevens, "7 x 7") == []
    assert lacking(sevens, "7 x 8") == [sevens[1]]
    assert lacking(sevens, "17 x 7.") == [sevens[1]]
    gentleman = Glossary({"man": "Herr", "cat": "고양이"}).in_text("man")
    assert lacking(gentleman, "Die Herrschaft") == gentleman
    assert lacking(gentleman, "Der Herr, der") == []
    cat = Glossary({"cat": "고양이"}).in_text("the cat")
    assert lacking(cat, "고양이가") == []  # particles are written onto a word
    assert lacking([], "") == []


@pytest.mark.parametrize(
    ("source", "translation", "is_there"),
    [
        ("5km", "5 km", True),
        ("5km", "5km", True),
        ("5 dogs", "55 Hunde", False),
        ("5 dogs", "5.000 Hunde", False),
        ("5 dogs", "2,5 Hunde", False),
        ("5 dogs", "B5", False),
        ("5 dogs", "5n Hunde", False),
        ("5 dogs", "5匹の犬", True),
        ("5 dogs", "개 5마리", True),
        ("We are 5.", "Wir sind 5.", True),
        ("5-year-old", "5-jährig", True),
        ("Python3", "Python3-Skript", True),
        ("Python3", "Python31", False),
        ("%dpx", "%dpx", True),
        ("$name", "$names", False),
        ("-5", "-5 Grad", True),
        # Languages separate digits each in its own way.
        ("10,000 years", "10.000 Jahre", True),
        ("10,000 years", "10 000 ans", True),
        ("1,000.50", "1.000,50", True),
        ("1.5", "15", False),
        ("1.5", "1,5", True),
        ("2-3", "2:3", True),
        ("123 to 456", "123-456", True),
        ("F-16", "F-16-Flieger", True),
        ("555-1234", "555 oder 1234", False),
    ],
)
def test_what_is_a_part_of_more_is_not_there(source: str, translation: str, is_there: bool) -> None:
    assert lacking(copied(source), translation) == ([] if is_there else copied(source))


def test_looking_takes_no_time() -> None:
    started = time.process_time()
    for unit in ("日", "a", "1.", "7", "7 ", " 000"):
        lacking(copied("7 8 9"), unit * 30_000 + "0")
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("source", "translation", "is_lacking"),
    [
        ("4% of men", "4 Männer", True),
        ("4% of men", "4 % der Männer", False),
        ("4% of men", "4 Prozent der Männer", False),
        ("It costs $4", "Es kostet 4", True),
        ("It costs $4", "Es kostet 4 Dollar", False),
        ("It costs 4", "Es kostet 4", False),
    ],
)
def test_a_number_without_its_sign_is_lacking(
    source: str, translation: str, is_lacking: bool
) -> None:
    assert bool(lacking(copied(source), translation)) == is_lacking
