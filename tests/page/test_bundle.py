"""The page's modules, as one."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from heedful.page.bundle import bundle, page_file
from heedful.page.server import FILES

MODULES = sorted(
    p.name for p in files("heedful.page").joinpath("files").iterdir() if p.name.endswith(".js")
)


@pytest.mark.parametrize("entry", ["saved.js", "widget.js"])
def test_nothing_is_imported_any_more(entry: str) -> None:
    script = bundle(entry)
    assert not re.search(r"^\s*import\b", script, re.MULTILINE)
    exported = re.findall(r"^\s*export\b", script, re.MULTILINE)
    assert len(exported) == (1 if entry == "widget.js" else 0)


def test_no_name_is_taken_twice() -> None:
    """Or the modules could not be one."""
    pattern = re.compile(r"^(?:export |async )*(?:function|class|const|let) (\w+)", re.MULTILINE)
    entries = {"saved.js", "server.js", "widget.js"}
    names = [n for m in MODULES if m not in entries for n in pattern.findall(page_file(m))]
    assert len(names) == len(set(names)), sorted(n for n in names if names.count(n) > 1)


_FUNCTION = re.compile(
    r"^(?P<indent> *)(?:export )?(?:async )?(?:function )?(?!if|for|while)\w+\([^\n]*\) \{$"
    r".*?^(?P=indent)\}",
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.parametrize("name", MODULES)
def test_modules_and_functions_are_short(name: str) -> None:
    """As everywhere here: under 250 lines, and functions under 40."""
    source = page_file(name)
    assert len(source.splitlines()) < 250
    for start in re.finditer(r"^", source, re.MULTILINE):
        if found := _FUNCTION.match(source, start.start()):
            first, *others = found[0].splitlines()
            assert len(others) < 39, first


def test_all_that_the_page_wants_is_served() -> None:
    served = set(FILES.values())
    wanted = {"index.html", "style.css", *MODULES} - {"saved.js", "widget.js", "host.js"}
    assert served == wanted
