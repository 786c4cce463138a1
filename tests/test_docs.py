"""What the documents say is true."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from heedful import __version__
from heedful.cli import app

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])


def test_the_page_of_settings_is_that_of_the_code() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "generate_settings.py"))["page"]
    written = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert written == page(), "run: python docs/generate_settings.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_flag_that_is_shown_exists() -> None:
    known = set()
    names = [
        "train",
        "translate",
        "evaluate",
        "compare",
        "see",
        "export",
        "import",
        "serve",
        "info",
        "demo",
    ]
    below = {"compare": ("layers", "memory", "scaling"), "keys": ("add", "remove", "list")}
    commands = [app[name] for name in names]
    commands += [app[name][part] for name, parts in below.items() for part in parts]
    for command in commands:
        for argument in command.assemble_argument_collection():
            known |= set(argument.names)
    for page in PAGES:
        for line in re.findall(
            r"^ *(?:\$ )?(heedful .*)$", page.read_text(encoding="utf-8"), re.MULTILINE
        ):
            flags = re.findall(r"(?<!\S)--[a-z-]+", line)
            assert set(flags) <= known | {"--help", "--version"}, line


def test_the_changelog_knows_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
