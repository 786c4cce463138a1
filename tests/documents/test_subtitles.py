"""Subtitles: cues as people write them."""

from __future__ import annotations

import pytest

from heedful.documents.allowance import Allowance
from heedful.documents.subtitles import Subtitles
from heedful.errors import InputError
from heedful.planning import Translation
from heedful.text.links import Link

from .test_markup import shouted

TIMES = "00:00:01,000 --> 00:00:02,000"


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("Tom & Jerry <3 you\n\n", ["Tom & Jerry <3 you"]),
        ("x &amp; y\n", ["x &amp; y"]),
        ("a < b and c > d\n\n<-- look\n", ["a < b and c > d", "<-- look"]),
        (f"First\n2\n{TIMES}\nSecond\n3\n{TIMES}\nThird", ["First", "Second", "Third"]),
        (f"First\n{TIMES}\n42\n\n", ["First", "42"]),
        (f"A\n \nB after it\n\n2\n{TIMES}\nC\n", ["A", "B after it", "C"]),
        ("{\\an8}Up <i>here</i>\n", ["Up here"]),
        ("<i>One line\nanother line</i>\n", ["One line another line"]),
        ('<font face="Arial Unicode MS">Hi</font>\r\nthere\r\n', ["Hi there"]),
        ("<i>never closed\nwrong</b> end\n", ["never closed wrong end"]),
        ("<i></i>a <b> </b>b\n", ["a b"]),
        (f"<i>\n\n2\n{TIMES}\n\n", []),
        ("- Who is\nthere?\n- Me, -5 times.\n", ["Who is there?", "Me, -5 times."]),
        ("Who?\r\n–Me.\r\n", ["Who?", "Me."]),
        ("<i>- Who?</i>\n{\\an8}<i>- Me.\n- And me</i>\n", ["Who?", "Me.", "And me"]),
        ("-5 degrees\n-\nmore", ["-5 degrees - more"]),
        ("-Who?\n-[sighs] Me.\n", ["Who?", "[sighs] Me."]),
        ("-<i>Who?</i>\n-<i>Me.</i>\n", ["Who?", "Me."]),
        ('-¿Qué?\n-¡Nada!\n-"hi"', ["¿Qué?", "¡Nada!", '"hi"']),
        ("― Hi\n− you\n-there", ["Hi", "you", "there"]),
        ("<i>Who?</i>\n-me", ["Who?", "me"]),
        ("[a knock]\n-Who is it?", ["[a knock]", "Who is it?"]),
        # One sentence, over two lines.
        ("He is\n50. His wife is 48.\n", ["He is 50. His wife is 48."]),
        ("He is a well\n-known man.\n", ["He is a well -known man."]),
        ("I thought\n—and still think—that.\n", ["I thought —and still think—that."]),
        ("# Twinkle twinkle\n# little star\n", ["# Twinkle twinkle # little star"]),
        ("It was\n-5 degrees.\n-5?\n", ["It was -5 degrees. -5?"]),
        ("--Hi.\n--You.\n", ["--Hi. --You."]),
    ],
)
def test_only_words_change(text: str, passages: list[str]) -> None:
    cues = f"1\n{TIMES}\n{text}"
    read = Subtitles(cues, Allowance())
    assert read.passages == passages
    assert read.rendered(list(map(shouted, passages, read.hints))).lower() == cues.lower()


def test_lines_are_cut_between_words_alone() -> None:
    tag = '<font face="Arial Unicode MS" color="#ffff00">'
    read = Subtitles(
        f"{TIMES}\nA very long first line of it\n{tag}cue</font> is here\n", Allowance()
    )
    words = ["Kurz", "cue", "ist", "hier", "und", "jetzt"]
    links, text = [], ""
    for n, word in enumerate(words):
        text += " " * bool(text)
        source = (29, 32) if n == 1 else (33, 35)
        links.append(Link(source, (len(text), len(text) + len(word)), 1.0))
        text += word
    done = read.rendered([Translation(text, 0.0, (), links=tuple(links))])
    assert f"{tag}cue</font>" in done
    assert done.split("\n", 1)[1].replace(f"{tag}cue</font>", "cue").split() == words
    assert done.count("\n") == 3


def test_what_has_no_times_is_refused() -> None:
    for text in ("just a line", "<p>Hello</p>", "WEBVTT\n\nHello"):
        with pytest.raises(InputError, match="no subtitles"):
            Subtitles(text, Allowance())
    for empty in ("", " \n"):
        assert Subtitles(empty, Allowance()).passages == []
