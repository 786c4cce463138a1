"""How what a translation lacks gets into it."""

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
from heedful.text.put_in import complete
from heedful.text.wanted import lacking, without_parts

from .linked import links_of


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
    (put_in,) = [link for link in moved if text[slice(*link.target)] == "{name}"]
    by_source = {link.source: link for link in found}
    assert (put_in.source, put_in.score) == ((6, 12), 1.0 if (6, 12) in by_source else 0.0)
    for new in moved:
        if new != put_in:
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
        # Whatever looks at the number of a list's item, it begins the translation.
        ("3. A man", "Ein Mann", [((0, 2), (0, 3)), ((0, 2), (4, 8))], "3. Ein Mann"),
        ("3. A man", "4. Ein Mann", [((0, 2), (0, 2))], "3. Ein Mann"),
        ("3 men", "Drei Männer", [((0, 1), (0, 4)), ((2, 5), (5, 11))], "3 Männer"),
        # What another want has put there stays.
        ("5 or 8", "8 oder", [((0, 1), (0, 1)), ((2, 4), (2, 6))], "5 8 oder"),
    ],
)
def test_nothing_right_is_lost(
    source: str, translation: str, links: list[tuple[Span, Span]], outcome: str
) -> None:
    assert complete(copied(source), translation, [Link(*pair, 1.0) for pair in links])[0] == outcome


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
        ("I see #dogs", "Ich seh #Hunde", "00 11 22", "Ich seh #dogs"),
        ("Hello,{name}!", "Hallo, du!", "00 01", "Hallo, du {name}!"),
        ("See [x](http://a.b).", "Sieh es.", "00 11", "Sieh es http://a.b."),
        ("{x}dogs run", "Hunde rennen", "00 11", "{x}Hunde rennen"),
        ("{x}{y} run", "{x} rennen", "00 11", "{x}{y} rennen"),
        ("Hello {name}!", "Hallo du!", "00 11", "Hallo {name}!"),
    ],
)
def test_what_is_written_onto_a_word_leaves_the_word(
    source: str, translation: str, pairs: str, outcome: str
) -> None:
    text, moved = complete(copied(source), translation, links_of(source, translation, pairs))
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
    assert complete(copied(source), translation, links_of(source, translation, pairs))[0] == outcome


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
    links = links_of(source, translation, "00 11")
    assert complete(terms, translation, links)[0] == "eine Hund Hundehütte"


def _put_in(glossary: dict[str, str], source: str, translation: str, links: list[Link]) -> str:
    return complete(Glossary(glossary).in_text(source), translation, links)[0]


@pytest.mark.parametrize(
    ("term", "called", "outcome"),
    [
        # An article of its own is written once, and keeps its capital letter.
        ("cat", "le matou", "Le matou mange une grosse saucisse chaude."),
        ("cat", "matou", "Le matou mange une grosse saucisse chaude."),
        # All that stands for a term of several words makes room.
        ("hot dog", "hot-dog", "Le chat mange une grosse hot-dog."),
        ("big hot dog", "une hot-dog", "Le chat mange une hot-dog."),
        ("a big hot dog", "un hot-dog", "Le chat mange un hot-dog."),
    ],
)
def test_a_term_takes_the_place_of_all_that_says_the_same(
    term: str, called: str, outcome: str
) -> None:
    source = "The cat eats a big hot dog."
    translation = "Le chat mange une grosse saucisse chaude."
    links = links_of(source, translation, "00 11 22 33 44 65 56")
    assert _put_in({term: called}, source, translation, links) == outcome


@pytest.mark.parametrize(
    ("source", "pairs", "scores", "outcome"),
    [
        # Half of what an article looks at is its noun.
        ("A woman", "10 11", (0.6, 0.9), "Eine Dame"),
        ("Woman", "00 01", (0.99, 0.9), "Dame"),
        # The article looks there more than its noun: nearly as much will do, less will not.
        ("A woman", "10 11", (0.57, 0.54), "Eine Dame"),
        ("A woman", "10 11", (0.7, 0.4), "Dame Frau"),
        # As many words as the term has need not look at it alone, but no more.
        ("Young woman", "10 01", (0.6, 0.9), "Dame"),
        ("A young woman", "10 11 22", (0.6, 0.9, 0.9), "Eine Dame"),
        ("A young woman", "00 11 12", (0.6, 0.9, 0.4), "Eine Dame Frau"),
    ],
)
def test_how_much_must_look_at_a_term(
    source: str, pairs: str, scores: tuple[float, ...], outcome: str
) -> None:
    translation = "Eine junge Frau" if len(scores) == 3 else "Eine Frau"
    known = zip(links_of(source, translation, pairs), scores, strict=True)
    links = [Link(link.source, link.target, score) for link, score in known]
    glossary = {"woman": "Dame", "young woman": "Dame"}
    assert _put_in(glossary, source, translation, links) == outcome


def test_a_term_takes_no_more_than_stands_together() -> None:
    source, translation = "hot dog stand here", "Stand, ein Stand heißer Hund hier"
    links = links_of(source, translation, "20 31 22 03 14 35")
    text = _put_in({"hot dog stand": "Bude"}, source, translation, links)
    assert text == "Bude, ein Stand heißer Hund hier"


@pytest.mark.parametrize("called", ["<i>Köter</i>", "<b>x", "</b>x", "<3", "<Köter", "<"])
def test_what_begins_with_a_tag_or_like_one_is_a_term(called: str) -> None:
    source, translation = "A dog sees <b>it</b>", "Ein Hund sieht es"
    wanted = [*Glossary({"dog": called}).in_text(source), *copied(source)]
    text, _ = complete(wanted, translation, links_of(source, translation, "00 11 22 33"))
    assert text == f"Ein {called} sieht <b>es</b>"


def test_a_term_leaves_what_another_has_written() -> None:
    links = links_of("hot dog", "Hund heiß", "10 11")
    assert _put_in({"hot": "heiß", "dog": "Köter"}, "hot dog", "Hund heiß", links) == "Köter heiß"


@pytest.mark.parametrize(
    ("translation", "pairs", "outcome"),
    [
        ("Hund sieht Hund", "00 11 22", "Köter sieht Köter"),
        # One is there: whichever it is, the other takes the place of its own word.
        ("Köter sieht Hund", "00 11 22", "Köter sieht Köter"),
        ("Hund sieht Köter", "00 11 22", "Köter sieht Köter"),
        ("Köter sieht Hund", "20 11 02", "Köter sieht Köter"),
        # No word looks at the second: where the same word comes again.
        ("Hund sieht Hund", "00 11 12", "Köter sieht Köter"),
        ("Köter sieht Köters", "00 11 12", "Köter sieht Köter"),
        ("Hund sieht ihn.", "00 11 12", "Köter sieht ihn Köter."),
        ("Köter sieht Köter", "", "Köter sieht Köter"),
    ],
)
def test_a_term_stands_there_as_often_as_in_the_source(
    translation: str, pairs: str, outcome: str
) -> None:
    source = "dog sees dog"
    links = links_of(source, translation, pairs)
    assert _put_in({"dog": "Köter"}, source, translation, links) == outcome


def test_what_is_put_in_has_a_link() -> None:
    source, translation = "See the hot dog now", "Sieh die warme Wurst jetzt"
    links = [
        Link(link.source, link.target, 0.8)
        for link in links_of(source, translation, "00 11 22 33 44")
    ]
    wanted = Glossary({"hot dog": "den Hotdog"}).in_text(source)
    text, moved = complete(wanted, translation, links)
    assert text == "Sieh die den Hotdog jetzt"
    said = [(source[slice(*a.source)], text[slice(*a.target)], a.score) for a in moved]
    assert said == [
        ("See", "Sieh", 0.8),
        ("the", "die", 0.8),
        ("hot dog", "den Hotdog", 0.8),
        ("now", "jetzt", 0.8),
    ]
    # Tags stand for nothing.
    tagged = "See <b>the dog</b>"
    _, links = complete(copied(tagged), "Sieh ihn da", links_of(tagged, "Sieh ihn da", "00 11 22"))
    assert [link.source for link in links] == [(0, 3), (4, 10), (11, 18)]


def test_tags_stand_around_a_term() -> None:
    source, translation = "A <b>hot dog</b> here", "Ein heißer Hund hier"
    wanted = [*copied(source), *Glossary({"hot dog": "Hotdog"}).in_text(source)]
    links = links_of(source, translation, "00 11 22 33")
    text, _ = complete(without_parts(wanted), translation, links)
    assert text == "Ein <b>Hotdog</b> hier"


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
    few, many = (min(_seconds(n, gap) for _ in range(3)) for n in (200, 3200))
    assert many < 100 * few


@pytest.mark.parametrize(
    ("glossary", "source", "translation", "outcome"),
    [
        # Where a sentence begins, a small letter may be a capital one; not elsewhere.
        ({"The dog": "le cabot"}, "The dog sleeps", "Le cabot dort.", "Le cabot dort."),
        ({"a dog": "le cabot"}, "See a dog", "Vu: Le cabot", "Vu: Le cabot le cabot"),
        # A name has the letters that it has, and so has what is to stay.
        ({"phone": "iPhone"}, "phone rings", "IPhone klingelt", "IPhone klingelt iPhone"),
        ({"pip": "pip"}, "pip works", "Pip geht", "Pip geht pip"),
        # A short term is no beginning of another word; a longer one is.
        ({"EU": "EU"}, "The EU grows", "Der EURO wächst", "Der EURO wächst EU"),
        ({"dog": "Köter"}, "The dog", "Des Köters", "Des Köter"),
    ],
)
def test_what_counts_as_being_there(
    glossary: dict[str, str], source: str, translation: str, outcome: str
) -> None:
    assert _put_in(glossary, source, translation, []) == outcome


@pytest.mark.parametrize(
    ("source", "translation", "outcome"),
    [
        ("He likes Acme Inc.", "Er mag Firma.", "Er mag Acme Inc."),
        ("He likes Yahoo!", "Er mag es.", "Er mag Yahoo!"),
        ("“He likes Yahoo!”", "„Er mag es.“", "„Er mag Yahoo!“"),
        ("He likes Yahoo!", "Er mag Yahoo!.", "Er mag Yahoo!"),
        ("He likes Acme Inc.", "Er Firma mag.", "Er Acme Inc. mag."),
        # The source has a mark of its own, or goes on.
        ("He likes Yahoo!.", "Er mag es.", "Er mag Yahoo!."),
        ("He likes Yahoo!?", "Er mag es?", "Er mag Yahoo!?"),
        ("Why Yahoo! then?", "Warum dann es?", "Warum dann Yahoo!?"),
        ("So Acme Inc. wins.", "Sieg für Firma.", "Sieg für Acme Inc."),
    ],
)
def test_a_term_that_ends_a_sentence_ends_it_once(
    source: str, translation: str, outcome: str
) -> None:
    (term,) = wanted = Glossary({"Acme Inc.": None, "Yahoo!": None}).in_text(source)
    words = re.finditer(r"(?:Firma|es|Yahoo)\S*", translation)
    text, links = complete(
        wanted, translation, [Link(term.source, word.span(), 1.0) for word in words]
    )
    assert text == outcome
    assert [text[slice(*link.target)].rstrip("“") for link in links] in ([term.text], [])


@pytest.mark.parametrize("end", [".", " ."])
def test_a_term_that_nobody_looks_at_ends_the_sentence_once(end: str) -> None:
    assert _put_in({"Yahoo!": "Yahoo!"}, "He likes Yahoo!", "Er mag" + end, []) == "Er mag Yahoo!"


def test_a_sign_is_not_put_in_where_nobody_knows_what_looks_where() -> None:
    """The word behind the number may be one for it, in a language that is not known here."""
    source, translation = "Now 4% more", "Jetzt 4 százalék több"
    assert complete(copied(source), translation, []) == (translation, [])


def test_a_number_takes_the_place_of_all_digits() -> None:
    """Though a link may be of some of them."""
    links = [Link((0, 3), (0, 3), 0.9), Link((4, 9), (8, 10), 0.9), Link((10, 15), (14, 18), 0.9)]
    text, _ = complete(copied("Bus 38798 stops"), "Bus 387988888 hält", links)
    assert text == "Bus 38798 hält"


def test_a_word_that_something_is_put_into_ends_there() -> None:
    source, translation = "Cats see 3", "Katzen sehen."
    links = [Link((0, 4), (0, 6), 1.0), Link((5, 8), (7, 13), 1.0)]
    text, found = complete(copied(source), translation, links)
    assert text == "Katzen sehen 3."
    assert [text[slice(*link.target)] for link in found] == ["Katzen", "sehen", "3"]


def test_the_time_grows_with_how_often_a_term_stands_there() -> None:
    def seconds(n: int) -> float:
        wanted = Glossary({"dog": "Köter"}).in_text("dog " * n)
        assert len(wanted) == n
        started = time.process_time()
        complete(wanted, "nichts davon " * n, [])
        return time.process_time() - started

    few = min(seconds(200) for _ in range(3))
    assert min(seconds(3200) for _ in range(2)) < 100 * few
