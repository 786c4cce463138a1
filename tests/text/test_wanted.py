"""What must stand in a translation."""

from __future__ import annotations

import re
import time
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.text.copied import copied
from heedful.text.glossary import Glossary
from heedful.text.links import Link, Span
from heedful.text.wanted import complete, lacking


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
    ("translation", "links", "outcome"),
    [
        # A word looks at what is missing: it takes that word's place, not that of its marks.
        ("Hallo (Name), da", [((0, 5), (0, 5)), ((6, 12), (6, 13))], "Hallo ({name}), da"),
        # What looks there is no word.
        ("Hallo , da", [((0, 5), (0, 5)), ((6, 12), (6, 7))], "Hallo {name}, da"),
        # None does: behind the one that comes from the word before it, however the order changed.
        ("Da , hallo .", [((0, 5), (5, 10)), ((14, 19), (0, 2))], "Da , hallo {name}."),
        # There is none before it.
        ("da bist du", [((14, 19), (0, 2))], "{name} da bist du"),
        # Nothing is known.
        ("da bist du.", [], "da bist du {name}."),
        ("", [], "{name}"),
    ],
)
def test_what_is_missing_is_put_in(
    translation: str, links: list[tuple[Span, Span]], outcome: str
) -> None:
    source = "Hello {name}, there you are"
    found = [Link(*spans, 1.0) for spans in links]
    text, moved = complete(copied(source), translation, found)
    assert text == outcome
    by_source = {link.source: link for link in found}
    for new in moved:
        old = by_source[new.source]
        assert text[slice(*new.target)] == translation[slice(*old.target)]


@pytest.mark.parametrize(
    ("source", "translation", "links", "outcome"),
    [
        # A number takes the place of a number, not of what is written onto it.
        ("Run 5km", "Lauf 8km", [((4, 7), (5, 8))], "Lauf 5km"),
        ("Run 5km", "Lauf fünf Meter", [((4, 7), (5, 9)), ((4, 7), (10, 15))], "Lauf 5 Meter"),
        ("Run 5km", "Lauf Meter", [((4, 7), (5, 10))], "Lauf 5 Meter"),
        ("A 5-year-old", "Ein 8-jähriger", [((2, 12), (4, 14))], "Ein 5-jähriger"),
        # What a compound spells is right as it is.
        ("A 5-year-old", "Ein fünfjähriger", [((2, 12), (4, 16))], "Ein fünfjähriger"),
        ("at 3:30 pm", "um 15:30 Uhr", [((0, 2), (0, 2)), ((3, 7), (3, 8))], "um 15:30 Uhr"),
        ("a 3-2 win", "ein 3:2-Sieg", [((2, 5), (4, 12))], "ein 3:2-Sieg"),
        ("10,000 years", "10.000 Jahre", [((0, 6), (0, 6))], "10.000 Jahre"),
        # What another want has put there stays.
        ("5 or 8", "8 oder", [((0, 1), (0, 1)), ((2, 4), (2, 6))], "5 8 oder"),
    ],
)
def test_nothing_right_is_lost(
    source: str, translation: str, links: list[tuple[Span, Span]], outcome: str
) -> None:
    assert complete(copied(source), translation, [Link(*pair, 1.0) for pair in links])[0] == outcome


def _links(source: str, target: str, pairs: str) -> list[Link]:
    """By the numbers of their words: "00 21" is the first to the first, the third to the second."""
    words = [[match.span() for match in re.finditer(r"\S+", text)] for text in (source, target)]
    return [Link(words[0][int(p[0])], words[1][int(p[1])], 1.0) for p in pairs.split()]


@pytest.mark.parametrize(
    ("source", "translation", "pairs", "outcome"),
    [
        ("See <b>the dog</b> now", "Siehe den Hund jetzt", "00 11 22 33", "<b>den Hund</b>"),
        # Though the words change places, what opens is before what closes.
        ("See <b>the dog</b> now", "Siehe den Hund jetzt", "00 12 21 33", "<b>den Hund</b>"),
        ("A <b>red</b> car", "Ein rotes Auto", "00 11 22", "Ein <b>rotes</b> Auto"),
        ("A <b><i>red</i></b>.", "Ein rotes.", "00 11", "Ein <b><i>rotes</i></b>."),
        ('(<a href="x">the dog</a>).', "(den Hund).", "00 21", '(<a href="x">den Hund</a>).'),
        ("<b>{name}</b> is", "Name ist", "00 11", "<b>{name}</b> ist"),
        ("<b>{name}</b> is", "{name} ist", "00 11", "<b>{name}</b> ist"),
        ("the <b> dog", "der Hund", "00 11", "der <b> Hund"),
        ("the <b> dog", "der Hund", "00 11 10", "<b> der Hund"),
        ("the <b> dog", "der b Hund", "00 11 22", "der <b> Hund"),
        ("Price:%s euro", "Preis: Euro", "00 11", "Preis:%s Euro"),
        ("Hello,{name}!", "Hallo, du!", "00 01", "Hallo, du {name}!"),
        ("{x}dogs run", "Hunde rennen", "00 11", "{x}Hunde rennen"),
        ("{x}{y} run", "{x} rennen", "00 11", "{x}{y} rennen"),
        ("Hello {name}!", "Hallo du!", "00 11", "Hallo {name}!"),
    ],
)
def test_what_is_written_onto_a_word_leaves_the_word(
    source: str, translation: str, pairs: str, outcome: str
) -> None:
    text, moved = complete(copied(source), translation, _links(source, translation, pairs))
    assert outcome in text
    assert all(text[slice(*link.target)].strip() for link in moved)


@pytest.mark.parametrize(
    ("source", "translation", "pairs", "outcome"),
    [
        # One of two is there: the other stands on its right side.
        ("See <b>the dog</b>", "Siehe Hund <b>den", "00 21 12", "Siehe <b>Hund </b>den"),
        ("See <b>the dog</b>", "Siehe den</b> Hund", "00 21 12", "Siehe den<b> Hund</b>"),
        # Both are there, the wrong way round.
        ("See <b>the dog</b>", "Siehe </b>den Hund<b>", "00", "Siehe <b>den Hund</b>"),
        ("See <b>the dog</b>", "Siehe </b>den Hund<b>", "", "Siehe <b>den Hund</b>"),
        # Both are there, and so is all between them: which words they hold is the model's to say.
        (
            'See <a href="x">one</a> and <a href="y">two</a>.',
            'Siehe <a href="y">zwei</a> und <a href="x">eins</a>.',
            "",
            'Siehe <a href="y">zwei</a> und <a href="x">eins</a>.',
        ),
        ('<b>a</b> <b id="2">b</b>', '<b id="2">b</b> <b>a</b>', "", '<b id="2">b</b> <b>a</b>'),
        (
            '<g id="1"/>a <g id="2">b</g>',
            '<g id="2">b</g> <g id="1"/>a',
            "",
            '<g id="2">b</g> <g id="1"/>a',
        ),
        # Of two pairs one is there.
        (
            'See <a x="1">one</a> and <a x="2">two</a>',
            'Siehe <a x="2">zwei</a> und eins',
            "00 32 53 24",
            'Siehe <a x="2">zwei</a> und <a x="1">eins</a>',
        ),
        ("See <B>the dog</b>", "Siehe </b>den Hund<B>", "", "Siehe <B>den Hund</b>"),
        ("a<g/> <g>b</g>", "</g>b<g> a<g/>", "", "<g>b</g> a<g/>"),
        # Nothing is written into a tag.
        ("ab <b>cd</b>", "CD AB <b>", "12", "CD AB <b></b>"),
        # A number that is there stays, however it is written.
        ("<b>10,000</b> dogs", "<b>10.000 Hunde", "00 11", "<b>10.000</b> Hunde"),
    ],
)
def test_what_opens_stands_before_what_closes(
    source: str, translation: str, pairs: str, outcome: str
) -> None:
    assert complete(copied(source), translation, _links(source, translation, pairs))[0] == outcome


TAGS = ("b", "i", 'b id="2"', "b id='3'")


@st.composite
def _tagged(draw: st.DrawFn) -> tuple[str, str, list[Link]]:
    """A text with tags in pairs, a translation with some of them anywhere, and any links."""
    words = ["ab", "cd", "ef", "gh"][: draw(st.integers(1, 4))]
    source = list(words)
    for tag in draw(st.lists(st.sampled_from(TAGS), min_size=1, max_size=3)):
        at = draw(st.integers(0, len(source)))
        source.insert(draw(st.integers(at, len(source))), f"</{tag[0]}>")
        source.insert(at, f"<{tag}>")
    there = [tag for tag in source if tag[0] == "<" and draw(st.booleans())]
    target = draw(st.permutations([*map(str.upper, words), *there]))
    texts = ["".join(w + " " * draw(st.booleans()) for w in some) for some in (source, target)]
    spans = [[match.span() for match in re.finditer(r"\S+", text)] for text in texts]
    links = [
        Link(draw(st.sampled_from(spans[0])), span, draw(st.floats(0, 1)))
        for span in spans[1]
        if draw(st.booleans())
    ]
    return texts[0], texts[1], links


@given(_tagged())
def test_tags_are_all_there_whole_and_in_order(tagged: tuple[str, str, list[Link]]) -> None:
    source, translation, links = tagged
    text, _ = complete(copied(source), translation, links)
    found = re.findall(r"<[^<>]*>", text)
    assert sorted(found) == sorted(re.findall(r"<[^<>]*>", source))
    for name in "bi":
        deep = list(accumulate((t[1] == name) - (t == f"</{name}>") for t in found))
        assert min(deep, default=0) >= 0
    said, kept = (re.sub(r"<[^<>]*>|\s", "", some) for some in (text, translation))
    assert said == kept


@given(st.permutations([f"<{tag}>{n}</{tag[0]}>" for n, tag in enumerate(TAGS)]))
def test_tags_that_are_right_stay(translated: list[str]) -> None:
    """Whatever order the words came in."""
    source = " ".join(f"<{tag}>{n}</{tag[0]}>" for n, tag in enumerate(TAGS))
    assert complete(copied(source), " ".join(translated), [])[0] == " ".join(translated)


def test_a_term_in_a_compound_leaves_the_compound() -> None:
    source, translation = "a dog-house", "eine Hundehütte"
    terms = Glossary({"dog": "Hund"}).in_text(source)
    links = _links(source, translation, "00 11")
    assert complete(terms, translation, links)[0] == "eine Hund Hundehütte"


def _seconds(n: int, gap: str) -> float:
    """To put so many numbers in."""
    source = gap.join(str(1000 + k) for k in range(n))
    translation = " ".join("wort" for _ in range(n))
    step = 4 + len(gap)
    links = [Link((step * k, step * k + 4), (5 * k, 5 * k + 4), 1.0) for k in range(n)]
    if gap == ";":  # all words look at the one word of the source
        links = [Link((0, len(source)), link.target, 1.0) for link in links]
    wanted = copied(source)
    assert len(wanted) == n
    started = time.process_time()
    text, _ = complete(wanted, translation, links)
    seconds = time.process_time() - started
    assert not lacking(wanted, text)
    return seconds


@pytest.mark.parametrize("gap", ["; ", ";"])
def test_the_time_grows_with_what_is_put_in(gap: str) -> None:
    """With its cube, 16 times as many took 4,096 times as long."""
    few = min(_seconds(200, gap) for _ in range(3))
    assert _seconds(3200, gap) < 100 * few
