"""What a translation has as its source has it."""

from __future__ import annotations

import time

import pytest

from heedful.text.copied import copied, has_words
from heedful.text.wanted import Joint


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Numbers: whole, with their sign, or not at all.
        ("It costs 3.50 or 1,200 or 1.000,50 or .5.", "3.50 1,200 1.000,50 .5"),
        ("1\u00a0000 and 1'000; 12 000 may be two", "1\u00a0000 1'000 12 000"),
        ("3 200,50 and 3 200kg, but 3 200k", "3 200,50 3 200"),
        ("At 12:30 on 2024-05-01.", "12:30 2024-05-01"),
        ("-5 or (+5), 7 - 5 and \u22123", "-5 +5 7 5 \u22123"),
        ("10-15 of 7 and 7", "10 15 7 7"),
        ("100 % of it, 50% off, $5, x=5", "100 50 5 5"),
        ("There were 3.", "3"),
        ("1. Open 2 doors.", "1 2"),
        # What languages write each in its own way.
        ("The 3rd, 1,000th and 21st; le 1er, la 2e; 3\u00ba; 5-й", ""),
        ("am 3. Mai, der 21. Mann", ""),
        ("5k or 4K or 5bn; 3万, 3月", ""),
        ("\u0661\u0662 and \uff13", ""),
        # With letters.
        ("Python3, B2B, 2x4, v1.2.3 and file_2.txt", "Python3 B2B 2x4 v1.2.3 file_2.txt"),
        ("5km, 10x, 3D at 17:30h", "5 10 3 17:30"),
        ("私は3匹とPython3の", "3 Python3"),
        ("a 5-year-old F-16, an MP3-player, the 90s", "5 F-16 MP3 90"),
        (
            "B-52, PS-5 and COVID-19; F-16s, F-16/F-18A, UTF-8",
            "B-52 PS-5 COVID-19 F-16s F-16/F-18A UTF-8",
        ),
        ("ISO-8859-1, USB-3.0, catch-22, mid-90, CoV-2", "ISO-8859-1 USB-3.0 22 90 2"),
        # Telephones and serial numbers are one, ranges are two.
        ("Call 555-1234 or 123-456, 555-123.", "555-1234 123-456 555-123"),
        ("1990-1995, 100-150 dogs, 120-140km, 2019–2020", "1990 1995 100 150 120 140 2019–2020"),
        ("+49 30 1234567, +1 (555) 123-4567, 2 + 30", "+49 30 1234567 +1 (555) 123-4567 2 30"),
        ("<0>a</0> {{ the name }} <%= x %>", "<0> </0> {{ the name }} <%= x %>"),
        ("__NAME__ `a_b` __init, __this__, don`t, isn`t", "__NAME__ `a_b`"),
        ("+1 000 000 men, +20 30 40", "+1 000 000 +20 30 40"),
        ("@user #topic C:\\dogs\\x.txt, but C# and #5", "@user #topic C:\\dogs\\x.txt 5"),
        # Addresses.
        ("See https://a.org/b?c=1, or www.x.de.", "https://a.org/b?c=1 www.x.de"),
        ("ftp://x.org/a, (svn+ssh://u@h/7).", "ftp://x.org/a svn+ssh://u@h/7"),
        ("https://e.org/Dog_(x), (https://e.org)", "https://e.org/Dog_(x) https://e.org"),
        ("https://a.orgを見て", "https://a.org"),
        ("Write to a.b@c-d.org, mailto:x@y.de.", "a.b@c-d.org mailto:x@y.de"),
        ("/usr/lib/python3. He/she and/or 1/2", "/usr/lib/python3 1/2"),
        # Placeholders and tags.
        ("Hello {name}, {{x}} ${y} $z $(a) {0:.2f} #{b}", "{name} {{x}} ${y} $z $(a) {0:.2f} #{b}"),
        (
            "%s %(n)d %1$s %ld %u %x %@ %5.2f %-5d %05.1f",
            "%s %(n)d %1$s %ld %u %x %@ %5.2f %-5d %05.1f",
        ),
        ("%dx%d, %dpx, 100%% in %HOME% at %Y", "%d %d %d 100 %% %HOME% %Y"),
        ("100% der, 50%off, the %age", "100 50"),
        ("a <b>bold</b> word<br/> &amp; &#39;", "<b> </b> <br/> &amp; &#39;"),
        ("x < 3 and y > 2", "3 2"),
        ('<a href="x y" hidden>, <b/>, <x-y z=1>', '<a href="x y" hidden> <b/> <x-y z=1>'),
        ("if x <y and z> 3", "3"),
        ("{} or {{}} or {{ x | y }} or {first name}", "{} {{}} {{ x | y }} {first name}"),
        ("the { set of x } and {all that is here}", ""),
        ("{n, plural, one {# x of {y}} other {5 y}} in {z}", "{z}"),
        ("{n, number} {n, plural, one {", "{n, number}"),
        # Whole.
        ("20°C, 20 °F, 5° 30, but n. 5°", "20 20 5 30"),
        ("file:///usr/x, example.com/5.", "file:///usr/x example.com/5"),
        (
            "on example.org, Booking.com: or a-b.co.uk:8080, müller.de.",
            "example.org Booking.com a-b.co.uk:8080 müller.de",
        ),
        (
            "192.168.0.1:8080/a or localhost:80/b, 127.0.0.1",
            "192.168.0.1:8080/a localhost:80/b 127.0.0.1",
        ),
        (
            "Is it example.org?x=1#y, example.org#z or example.org?",
            "example.org?x=1#y example.org#z example.org",
        ),
        ("M.de Villiers, Dr.de Vries; on localhost:5000 or localhost", "localhost:5000"),
        ("The end.The beginning.It is over.de-facto comes.dekor 3.5/x", "3.5"),
        ("1.5e-3 or -2E+10 at 2024-05-01T12:30:00Z", "1.5e-3 -2E+10 2024-05-01T12:30:00Z"),
        # Times of half a day, and scores.
        ("at 3:30 pm, 3pm, 11 a.m. or 9-10 AM; 15:30 am Montag", "15:30"),
        ("a 3-2 win, 102–98, 102-100, a 2-2; 10-15 dogs", "10 15"),
        ("Nothing.", ""),
    ],
)
def test_what_is_copied(text: str, found: str) -> None:
    assert " ".join(want.text for want in copied(text)) == found
    assert all(text[slice(*want.source)] == want.text for want in copied(text))


def test_how_numbers_are_joined() -> None:
    joints = [want.joint for want in copied("5 dogs, 5km, 5-year-old, mid-90, the 90s, MP3, MP3-x")]
    none, unit, word = Joint.NONE, Joint.UNIT, Joint.WORD
    assert joints == [none, unit, word, word, word, none, word]
    assert [want.joint for want in copied("U-2, U-2-x, 555-1234")] == [none, word, none]


UNITS = [
    "日",
    "a",
    "1.",
    "http://,",
    "1 000 ",
    "a1.",
    "/a",
    "%5",
    "{",
    "<a",
    "&#1",
    "x1-",
    ")",
    "a@",
    "a.",
    "a-",
    "<a b=c ",
    "<a b='",
    "{n,plural,",
    "{a b",
    "1e",
    "3-2",
    "1-1-",
    "3 p.",
    "a.de:1",
    "abc.de-",
    "localhost:1",
    "1.1.1.1:",
    "abc.co.",
    "A-1",
    "A-1-",
    "A-1.",
    "111-",
    "1110-1110",
]


@pytest.mark.parametrize("unit", UNITS)
def test_the_time_grows_with_the_text(unit: str) -> None:
    """Some took half a minute."""
    started = time.process_time()
    copied(unit * 30_000)
    copied("https://a.org/" + unit * 30_000)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("text", ["A dog", "5 km", "see https://x.org", "Größe 42", "그", "3rd"])
def test_there_is_something_to_translate(text: str) -> None:
    assert has_words(text)


@pytest.mark.parametrize("text", ["x & " * 140_000, "x&" * 280_000])
def test_of_a_long_text_a_glance_is_enough(text: str) -> None:
    """It took a second, in which nobody else went on."""
    started = time.process_time()
    assert has_words(text)
    assert time.process_time() - started < 0.3


@pytest.mark.parametrize("text", ["", "42", "---", "%s {name}", "a@b.org", "12:30", "🙂", "<br/>",
                                  "a1 " * 5000, "https://x.org/" + "y" * 9000])  # fmt: skip
def test_there_is_nothing_to_translate(text: str) -> None:
    assert not has_words(text)
