"""Do numbers, addresses and placeholders survive a translation?

    HEEDFUL_DATA=… python benchmarks/surviving.py [run]

Sentences of some forms, each with something that is to stay as it is: dates, times, numbers,
prices, shares, addresses of both kinds, placeholders and tags, fifty of each form, drawn by a seed.
They are translated as the server does it, and by the model alone. Told is how many translations
have it whole, by itself, with its sign (or a word for that). It fails if less than 98 of 100 of a
kind do. Unless a run is given, a tiny model of ten minutes is trained, which has hardly seen any of
these.
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
from workload import make_texts, tiny_run

EACH = 50
LEAST = 0.98
FORMS = {
    "dates": ("The man left on {}.", "On {} two dogs ran in the park."),
    "times": ("At {} two dogs run in the park.", "The store opens at {}."),
    "numbers": ("There are {} people on the street.", "A bus with the number {} stops."),
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
    "prices": lambda draw: f"${draw.randint(2, 999)}",
    "shares": lambda draw: f"{draw.randint(2, 99)}%",
    "addresses of pages": lambda draw: f"https://example.org/{draw.randint(1, 9999)}/a",
    "addresses of letters": lambda draw: f"a{draw.randint(1, 9999)}@example.org",
    "placeholders": lambda draw: draw.choice(["{name}", "%s", "{0}", "%(user)s", "{{ dog }}"]),
    "tags": lambda draw: f'<b id="{draw.randint(1, 999)}">',
}
WORDS = {"$": "Dollar", "%": "Prozent"}


def stands(what: str, text: str) -> bool:
    """Whole, and no part of something else; a sign may be a word."""
    ways = [re.escape(what)]
    for sign, word in WORDS.items():
        if sign in what and what.strip("$%").isdigit():
            ways.append(rf"{re.escape(what.strip('$%'))}[ -]?(?:{re.escape(sign)}|{word})")
    if what[0] == "<":
        return what in text
    return any(re.search(rf"(?<![^\W_]){way}(?![^\W_])", text) for way in ways)


def main() -> None:
    """Each kind."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run = tiny_run(make_texts(folder), folder, sys.argv[1:], budget="10m")
        model = heedful.load(run)
        draw = random.Random(1)
        figures = {}
        for kind, forms in FORMS.items():
            drawn = [(DRAWN[kind](draw), form) for form in forms for _ in range(EACH)]
            lines = [form.replace("{}", what) for what, form in drawn]
            figures[kind] = {
                name: sum(
                    stands(what, found.text)
                    for (what, _), found in zip(
                        drawn, model.translate(lines, beam=4, copy=copy), strict=True
                    )
                )
                / len(lines)
                for name, copy in (("as the server does it", True), ("by the model alone", False))
            }
    keep("surviving", figures)
    if poor := [kind for kind, found in figures.items() if found["as the server does it"] < LEAST]:
        sys.exit(f"{LEAST:.0%} are wanted: {', '.join(poor)}")


if __name__ == "__main__":
    main()
