"""What the page says is said in each of its languages, and nothing is left over."""

from __future__ import annotations

import re

from heedful.page.bundle import page_file

from .test_bundle import MODULES


def labels() -> dict[str, set[str]]:
    source = page_file("labels.js")
    blocks = re.findall(r"^  (\w+): \{\n(.*?)^  \},$", source, re.MULTILINE | re.DOTALL)
    return {name: set(re.findall(r"^    (\w+):", block, re.MULTILINE)) for name, block in blocks}


def test_both_languages_have_every_label() -> None:
    found = labels()
    assert set(found) == {"en", "ko"}
    assert found["en"] == found["ko"]


def test_every_label_is_used_and_every_used_one_is_there() -> None:
    script = "\n".join(page_file(name) for name in MODULES if name != "labels.js")
    used = set(re.findall(r'say\("(\w+)"\)', script))
    for either in re.findall(r'say\(\w+ \? "(\w+)" : "(\w+)"\)', script):
        used |= set(either)
    by_name = {"encoder", "decoder", "cross", "saliency", "system", "light", "dark"}
    by_name |= {"back", "forward"}
    known = labels()["en"]
    assert used <= known
    assert known - used == by_name - used
