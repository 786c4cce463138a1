"""Where words, elements, marks and white space of a translation go."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.documents.markup import read_markup
from heedful.planning import Translation
from heedful.text.links import Link

from .test_markup import backwards, shouted


def linked(source: str, pairs: str) -> Translation:
    """From "ziel=goal und=and": each word, and the word of the source that it looked at."""
    text, links = "", []
    for pair in pairs.split():
        word, _, other = pair.partition("=")
        text += " " * bool(text)
        start = source.index(other)
        span = (len(text), len(text) + len(word))
        links.append(Link((start, start + len(other)), span, 1.0))
        text += word
    return Translation(text, 0.0, (), links=tuple(links))


@pytest.mark.parametrize(
    ("markup", "pairs", "wanted"),
    [
        ('He said "<b>go!</b>"', 'sagte=said „geh!“.="go!"', "sagte „<b>geh!</b>“."),
        ("(See <a href=x>the list!</a>)", "die=the Liste!).=list!)", "<a href=x>die Liste!</a>)."),
        ("She <b>reads</b> <img>.", "liest.=reads", "<b>liest</b> <img>."),
        ("<b>She reads</b>!", "sie=She liest.=reads", "<b>sie liest</b>."),
    ],
)
def test_where_a_sentence_ends(markup: str, pairs: str, wanted: str) -> None:
    page = read_markup(markup)
    assert page.rendered([linked(page.passages[0], pairs)]) == wanted


@pytest.mark.parametrize(
    "markup",
    [
        "“<i>Quote</i>” he said",
        "(<b>bold</b>) text",
        "word<sup>1</sup> and so on",
        "H<sub>2</sub>O is wet, E=mc<sup>2</sup>.",
        "text<a href=n><sup>1</sup></a> more.",
        "see <a href=1>[1]</a> and word<a href=2>[2]</a> here",
        "<b>W</b>ord begins",
        "<b>very</b>important",
        "Hello<b>!</b> dear <i>world</i>, and <i>you</i>.",
        "<a name='top'></a>Hello there",
        "x <i class=icon></i> y<span id=p13></span> z",
        "Name: <u>\u00a0\u00a0</u> Date: <u> </u>",
        "Run <code>make all</code> to build, <img> or not",
        "A claim<img> that goes on",
        "Press <kbd>Ctrl</kbd>+<kbd>C</kbd> to copy",
        "10\u00a0km and\u2003<b>more</b>",
        "  lead <b> bold </b>  tail  ",
        "<b>one <i>two</i></b><u>three</u>  four",
        "a <b></b><i> </i>b <a href=x><img></a> c",
        "<b>...</b> <i>—</i> well",
    ],
)
def test_what_keeps_its_order_keeps_everything(markup: str) -> None:
    """Where each word is upper-cased, nothing else may change."""
    page = read_markup(markup)
    done = page.rendered(list(map(shouted, page.passages, page.hints)))
    assert done.lower() == markup.lower()
    assert done != markup


@pytest.mark.parametrize(
    ("markup", "pairs", "wanted"),
    [
        ("(<b>bold</b>) text", "texte=text (gras)=(bold)", "texte (<b>gras</b>)"),
        ("“<i>Quote</i>” he said", "«Zitat»,=“Quote” sagt=said er=he", "«<i>Zitat</i>», sagt er"),
        ("a word<sup>1</sup> more", "mehr=more Wort=word ein=a", "mehr Wort<sup>1</sup> ein"),
        ("a word<sup>1</sup> more", "Wort=word mehr=more", "Wort<sup>1</sup> mehr"),
        ("the <b>red</b> house", "la=the casa=house roja=red", "la casa <b>roja</b>"),
        ("a claim<img> that", "das=that Behauptung=claim eine=a", "das Behauptung<img> eine"),
        ("one <br-x/>", "uno=one", "uno <br-x/>"),
        ("run <code>x</code> now", "jetzt=now laufe=run", "jetzt laufe <code>x</code>"),
        ("run <code>x</code> now", "jetzt=now x=x laufe=run", "jetzt <code>x</code> laufe"),
        ("run <code>x</code> now", "jetzt=now x-Lauf=x", "jetzt <code>x</code>-Lauf"),
        ("run <code>x</code>, now", "jetzt,=now x=run", "jetzt, <code>x</code>"),
        ("<b>a <var>x</var></b> <var>x</var>", "x=x b=a x=x", "<b><var>x</var> b</b> <var>x</var>"),
        (
            "a <i translate=no>New\n York</i> b",
            "b=b New=New York=York a=a",
            "b <i translate=no>New\n York</i> a",
        ),
        ("<code>1,000</code> now", "jetzt=now 1.000=1,000", "jetzt <code>1,000</code>"),
        ("a <code>x y</code> <code>x</code>", "x=x y=x x=x", "<code>x y</code> <code>x</code>"),
        ("<b><code>x</code></b> is here", "hier=here x=x ist=is", "hier <b><code>x</code></b> ist"),
        ("the <var>n</var>th item", "Element=item das=the", "<var>n</var> Element das"),
        ("a <var>n</var>th item", "ein=a te=th Ding=item", "ein <var>n</var>te Ding"),
        ("press <kbd>A</kbd>, <kbd>B</kbd>", "tippe=press", "tippe <kbd>A</kbd> <kbd>B</kbd>"),
        (
            "press <kbd>+</kbd><kbd>-</kbd> now",
            "jetzt=now tippe=press",
            "jetzt tippe <kbd>+</kbd><kbd>-</kbd>",
        ),
        ("a dog<sup>®</sup> runs", "läuft=runs Hund=dog", "läuft Hund<sup>®</sup>"),
        (
            "a <my-tip>dog</my-tip> runs",
            "ein=a Hund=dog rennt=runs",
            "ein <my-tip>Hund</my-tip> rennt",
        ),
        (
            "write a@b.org to <b>us</b>",
            "an=to a@b.org=a@b.org schreib=write",
            "an a@b.org <b>schreib</b>",
        ),
        ("{a9} on <b>top</b>", "{a9}=on", "{a9}<b></b>"),
        (
            "<code>a</code>&lt;<code>b</code> is",
            "ist=is a<b=a<b",
            "ist <code>a</code>&lt;<code>b</code>",
        ),
        ("run <code>+</code>!", "laufe=run los!=!", "laufe <code>+</code> los!"),
        ("see (<code>+</code>) now", "siehe=( jetzt=now", "siehe <code>+</code> jetzt"),
        ("no <code>x</code>s now", "keine=no jetzt=now s=s", "keine jetzt <code>x</code>s"),
        (
            "runs<sup><code>+</code></sup> !",
            "lauft=runs los=!",
            "lauft<sup><code>+</code></sup> los",
        ),
        (
            "she reads <i translate=no>X</i>.",
            "sie=she liest.=reads",
            "sie liest <i translate=no>X</i>.",
        ),
        ("very <a id=1></a>good soup", "soupe=soup bonne=good", "soupe <a id=1></a>bonne"),
        ("go <b>now</b>!", "va=go maintenant=now! !=now!", "va <b>maintenant</b> !"),
        ("at <b>Paris</b> today", "heute=today Paris=at x=at", "heute <b>Paris</b> x"),
        ("a <b>b c d</b> e", "B=b X=a D=d E=e", "<b>B X D</b> E"),
        ("<b>a</b>, <i>b</i>", "a=a, b,=b c=b", "<b>a</b> <i>b, c</i>"),
        ("<b>a</b>-<i>b</i> c", "x=c", "<b></b><i></i>x"),
    ],
)
def test_what_moves_takes_along_what_is_its_own(markup: str, pairs: str, wanted: str) -> None:
    page = read_markup(markup)
    assert page.rendered([linked(page.passages[0], pairs)]) == wanted


TAG = '<a href="/z" id="a1">#<span>zebra</span></a>'
MENTION = '<span class="h-card"><a href="/n">@<span>name</span></a></span>'


@pytest.mark.parametrize(
    ("markup", "pairs", "wanted"),
    [
        (f"See {TAG} now", "Siehe=See Zebra=#zebra jetzt=now",
         'Siehe <a href="/z" id="a1"><span>Zebra</span></a> jetzt'),
        (f"See {TAG} now", "#=#zebra siehe=See zebra=#zebra",
         '# siehe <a href="/z" id="a1"><span>zebra</span></a>'),
        (f"See {TAG} now", "siehe=See #=#zebra", 'siehe <a href="/z" id="a1">#<span></span></a>'),
        (f"Hi {MENTION} there", "Hallo=Hi du=there Name=@name",
         'Hallo du <span class="h-card"><a href="/n"><span>Name</span></a></span>'),
        (f"Hi {MENTION} there", "Hallo=Hi du=there",
         'Hallo<span class="h-card"><a href="/n"><span></span></a></span> du'),
        ("a <b id=1>red <i id=2>big</i></b> house", "rot=red Haus=house ein=a gross=big",
         "rot Haus ein <b id=1><i id=2>gross</i></b>"),
        ("<a href=x>a <img> big</a> house", "gross=big Haus=house a=a", "<a href=x>gross</a> Haus a"
         " <img>"),
    ],
)  # fmt: skip
def test_a_link_and_what_has_an_id_stand_once(markup: str, pairs: str, wanted: str) -> None:
    page = read_markup(markup)
    assert page.rendered([linked(page.passages[0], pairs)]) == wanted


def test_a_script_without_spaces_is_cut_where_links_are() -> None:
    page = read_markup("the <b>cat</b> sleeps")
    text = "猫は眠る"
    links = (Link((4, 7), (0, 1), 1.0), Link((0, 3), (1, 2), 1.0), Link((8, 14), (2, 4), 1.0))
    assert page.rendered([Translation(text, 0.0, (), links=links)]) == "<b>猫</b>は眠る"
    page = read_markup("猫は<b>眠る</b>")
    moved = (Link((2, 4), (0, 6), 1.0), Link((0, 1), (7, 10), 1.0))
    assert page.rendered([Translation("sleeps cat", 0.0, (), links=moved)]) == "<b>sleeps</b> cat"


PIECES = (
    "<b>", "</b>", "<i>", "</i>", "<a id=1>", "</a>", "<img>", "<br>", "<p>", "</p>", "<code>",
    "</code>", "a", "b1", "(", ".", " ", "\u00a0", "&lt;", "<!-- c -->", "<wbr>", "<a id=2/>",
    "- ", "1. ", "2. ",
)  # fmt: skip
_TAG = re.compile(r"<[^<>]*>")


def _tags(markup: str) -> Counter[str]:
    return Counter(_TAG.findall(markup))


@given(st.lists(st.sampled_from(PIECES), max_size=16))
def test_where_order_is_kept_every_tag_stays(pieces: list[str]) -> None:
    """Whatever is wrong with them."""
    markup = "".join(pieces)
    page = read_markup(markup)
    done = page.rendered(list(map(shouted, page.passages, page.hints)))
    assert _tags(done) == _tags(markup)
    assert re.sub(r"\s+", " ", done).lower() == re.sub(r"\s+", " ", markup).lower()


@given(st.lists(st.sampled_from(PIECES), max_size=16), st.booleans())
def test_where_order_changes_no_tag_is_lost(pieces: list[str], has_links: bool) -> None:
    """Elements whose words are parted are there more than once, and each is ended."""
    markup = "".join(pieces)
    page = read_markup(markup)
    moved = list(map(backwards, page.passages, page.hints))
    if not has_links:
        moved = [Translation("x", 0.0, ()) for _ in moved]
    before, after = _tags(markup), _tags(page.rendered(moved))
    assert before.keys() == after.keys()
    for tag, n in before.items():
        assert after[tag] >= n
    assert after["<a id=1>"] == before["<a id=1>"]
    for start, end in (("<b>", "</b>"), ("<i>", "</i>"), ("<a id=1>", "</a>")):
        assert after[start] - after[end] == before[start] - before[end]
    for tag in ("<img>", "<br>", "<p>", "<code>", "<wbr>", "<a id=2/>", "<!-- c -->"):
        assert after[tag] == before[tag]
