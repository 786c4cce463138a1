"""Do numbers, addresses and placeholders survive a translation?

    HEEDFUL_DATA=… python benchmarks/surviving.py [run]

Sentences of some forms, each with something that is to stay as it is: dates, times, numbers of
three kinds, prices, shares, addresses of both kinds, placeholders and tags, fifty of each form,
drawn by a seed. They are translated as the server does it, and by the model alone. Told is how many
translations have it whole, by itself, with its sign (or a word for that), and how many of these no
digit besides, which no sentence says; and of the test text how many translations read otherwise
than those of the model alone. It fails if less than 98 of 100 of a kind have it. Unless a run is
given, a tiny model of ten minutes is trained, which has hardly seen any of these.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import heedful
from common import keep
from heedful.translator import Translator
from workload import make_texts, tiny_run

EACH = 50
LEAST = 0.98
FORMS = {
    "dates": ("The man left on {}.", "On {} two dogs ran in the park."),
    "times": ("At {} two dogs run in the park.", "The store opens at {}."),
    "numbers": ("There are {} people on the street.", "A bus with the number {} stops."),
    "decimals": ("The dog runs {} miles.", "A sign says {} in red."),
    "thousands": ("There are {} people on the street.", "The man sees {} birds."),
    "prices": ("A man buys a red ball for {}.", "The hat costs {}."),
    "shares": ("{} of the men wear hats.", "About {} of the children play outside."),
    "addresses of pages": ("A man looks at {} on his phone.", "Go to {} now."),
    "addresses of letters": ("A woman writes to {} today.", "The girl sees {} on the wall."),
    "placeholders": ("A man named {} runs.", "The dog sees {} in the park."),
    "tags": ("A {}dog</b> runs in the park.", "Two men see a {}red</b> ball."),
}
DRAWN: dict[str, Callable[[random.Random], str]] = {
    "dates": lambda draw: f"20{draw.randint(10, 30)}-0{draw.randint(1, 9)}-{draw.randint(10, 28)}",
    "times": lambda draw: f"{draw.randint(13, 23)}:{draw.randint(10, 59)}",
    "numbers": lambda draw: str(draw.randint(13, 99_999)),
    "decimals": lambda draw: f"{draw.randint(1, 99)}.{draw.randint(1, 99)}",
    "thousands": lambda draw: f"{draw.randint(1, 99)},{draw.randint(100, 999)}",
    "prices": lambda draw: f"${draw.randint(2, 999)}",
    "shares": lambda draw: f"{draw.randint(2, 99)}%",
    "addresses of pages": lambda draw: f"https://example.org/{draw.randint(1, 9999)}/a",
    "addresses of letters": lambda draw: f"a{draw.randint(1, 9999)}@example.org",
    "placeholders": lambda draw: draw.choice(["{name}", "%s", "{0}", "%(user)s", "{{ dog }}"]),
    "tags": lambda draw: f'<b id="{draw.randint(1, 999)}">',
}
SERVED = "as the server does it"
WORDS = {"$": "Dollar", "%": "Prozent"}


def rest_of(text: str, what: str) -> str | None:
    """All but what is to stay; None if that does not stand there whole and by itself. A sign may
    be a word, and what parts the digits may be what the language has for it."""
    ways = []
    for sign, word in WORDS.items():
        if sign in what and what.strip("$%").isdigit():
            ways.append(rf"{re.escape(what.strip('$%'))}[ -]?(?:{re.escape(sign)}|{word})")
    if re.fullmatch(r"[0-9]+[.,][0-9]+", what):
        ways.append(re.sub("[.,]", "[.,\u00a0\u202f]", what))
    ways.append(re.escape(what))
    alone = "{}" if what[0] == "<" else r"(?<![^\W_]){}(?![^\W_])"
    found = re.search(alone.replace("{}", f"(?:{'|'.join(ways)})"), text)
    return None if found is None else text[: found.start()] + text[found.end() :]


def survived(model: Translator, kind: str, draw: random.Random) -> dict[str, float]:
    """The shares that have it, as the server does it and by the model alone."""
    drawn = [(DRAWN[kind](draw), form) for form in FORMS[kind] for _ in range(EACH)]
    lines = [form.replace("{}", what) for what, form in drawn]
    shares = {}
    for name, copy in ((SERVED, True), ("by the model alone", False)):
        found = model.translate(lines, beam=4, copy=copy)
        rests = [rest_of(one.text, what) for (what, _), one in zip(drawn, found, strict=True)]
        whole = [rest for rest in rests if rest is not None]
        shares[name] = len(whole) / len(rests)
        if copy:
            clean = [rest for rest in whole if not re.search("[0-9]", rest)]
            shares["and no other digit"] = len(clean) / len(rests)
    return shares


def changed(model: Translator, lines: list[str]) -> str:
    """How many translations read otherwise than those of the model alone."""
    ours, alone = (model.translate(lines, beam=4, copy=copy) for copy in (True, False))
    differ = sum(one.text != other.text for one, other in zip(ours, alone, strict=True))
    return f"{differ} of {len(lines):,}"


def main() -> None:
    """Each kind, and the test text."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        model = heedful.load(tiny_run(texts, folder, sys.argv[1:], budget="10m"))
        draw = random.Random(1)
        shares = {kind: survived(model, kind, draw) for kind in FORMS}
        lines = texts.test.source.read_text(encoding="utf-8").splitlines()
        keep("surviving", {**shares, "changed of the test text": changed(model, lines)})
    if poor := [kind for kind, found in shares.items() if found[SERVED] < LEAST]:
        sys.exit(f"{LEAST:.0%} are wanted: {', '.join(poor)}")


if __name__ == "__main__":
    main()
