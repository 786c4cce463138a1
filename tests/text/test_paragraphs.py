"""Lines, and the white space around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.text.paragraphs import join_paragraphs, split_paragraphs


@pytest.mark.parametrize(
    ("text", "lines", "gaps"),
    [
        ("One.", ["One."], ["", ""]),
        ("  One.\n\n\tTwo. Three. \r\n", ["One.", "Two. Three."], ["  ", "\n\n\t", " \r\n"]),
        ("a\u2028b", ["a", "b"], ["", "\u2028", ""]),
        ("\ufeffOne.", ["One."], ["\ufeff", ""]),
        (" \n ", [], [" \n "]),
        ("", [], [""]),
    ],
)
def test_lines_and_what_stands_around_them(text: str, lines: list[str], gaps: list[str]) -> None:
    assert split_paragraphs(text) == (lines, gaps)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("- Hello", "- "),
        ("  * Hello", "  * "),
        ("•\tHello", "•\t"),
        ("### Hello", "### "),
        ("3) Hello", "3) "),
        ("a) Hello", "a) "),
        ("B) Hello", "B) "),
        ("(a) Hello", "(a) "),
        ("(12)\tHello", "(12)\t"),
        ("iv) Hello", "iv) "),
        ("  (iii) (b) Hello", "  (iii) (b) "),
        ("б) Привет", "б) "),
        ("> > - Hello", "> > - "),
        (">> Hello", ">> "),
        ("– Hello", "– "),
        ("—\u00a0Hello", "—\u00a0"),
        ("―Hello", "―"),
        ("− Hello", "− "),
        ("-Hello", "-"),
        ("-Éclair", "-"),
        ("-Да", "-"),
        ("- 5 degrees", "- "),
        ("1.1 A man", "1.1 "),
        ("  2.3.1\tTwo dogs", "  2.3.1\t"),
        ("1.1. Introduction", "1.1. "),
        ("> 10.12 Über uns", "> 10.12 "),
        # A number, emphasis, a word, a date, marks that are all there is.
        ("-5 degrees", ""),
        ("–5 degrees", ""),
        ("-v shows more", ""),
        ("-ing is a suffix", ""),
        ("–écrit-il", ""),
        ("*Hello* there", ""),
        ("#Hello", ""),
        ("--verbose", ""),
        ("2024. Hello", ""),
        ("12. Hello", ""),
        ("> 3. Mai ist ein Feiertag.", "> "),
        ("1. FC Köln gewinnt.", ""),
        ("5. 5. 2024 um 12 Uhr", ""),
        ("3.5 dogs", ""),
        ("3.5 million people", ""),
        ("3.5 Millionen Menschen", ""),
        ("12.30 Uhr am Montag", ""),
        ("0.5 Liter Wasser", ""),
        ("2.4 GHz", ""),
        ("1.000 Hunde", ""),
        ("5.5.2024 Ein Tag", ""),
        ("1.1A man", ""),
        ("1.1", ""),
        ("“- Hello”", ""),
        ("-", ""),
        ("- ", ""),
        ("- \n", ""),
        ("1.", ""),
        ("---", ""),
        ("* * *", "* * "),
        # Initials, what is short for a word, brackets around one or at its end.
        ("A. Smith is here", ""),
        ("I. Newton fell", ""),
        ("z. B. morgen", ""),
        ("b. 1950 in Rome", ""),
        ("(or) so they say", ""),
        ("(2024) A year", ""),
        ("(s)he comes", ""),
        ("a)b", ""),
        ("(a)", ""),
    ],
)
def test_a_mark_at_the_beginning_of_a_line_stays(text: str, mark: str) -> None:
    line = text[len(mark) :].rstrip()
    for before, behind in (("", ""), ("One.\n", "\n\nTwo - or 1. three")):
        lines, gaps = split_paragraphs(before + text + behind)
        assert line in lines
        assert gaps[lines.index(line)] == "\n" * bool(before) + mark


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1. Open\n2. Close", ["Open", "Close"]),
        ("1. Open\n\n  2. - Close\n> 3. Go\nDone", ["Open", "Close", "Go", "Done"]),
        ("To do:\n9. Open\n10. Close", ["To do:", "Open", "Close"]),
        ("0. Open\n1. Close", ["Open", "Close"]),
        ("a. Open\nb. Close\nd. Go", ["Open", "Close", "d. Go"]),
        # Not counted.
        ("A. Smith\nB. Jones", ["A. Smith", "B. Jones"]),
        ("z. B. heute\nd. h. morgen", ["z. B. heute", "d. h. morgen"]),
        ("3. Mai\n5. Mai", ["3. Mai", "5. Mai"]),
        ("2. Platz\n1. Platz", ["2. Platz", "1. Platz"]),
        ("1. Open\nmore\n2. Close", ["1. Open", "more", "2. Close"]),
        ("more\n0. Open\nmore", ["more", "0. Open", "more"]),
    ],
)
def test_numbers_are_marks_where_lines_are_counted(text: str, lines: list[str]) -> None:
    assert split_paragraphs(text)[0] == lines


@given(st.text(alphabet=st.sampled_from("ab.()-1#\n\r \t\u2028\u00a0\x1c")))
def test_they_make_up_the_text(text: str) -> None:
    lines, gaps = split_paragraphs(text)
    assert join_paragraphs(lines, gaps) == text
    assert all(line == line.strip() != "" for line in lines)
    assert len(gaps) == len(lines) + 1
