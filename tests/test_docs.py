"""What the documents say is true."""

from __future__ import annotations

import re
import runpy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import heedful
from heedful import __version__
from heedful.cli import app

from .trained import TINY

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


PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
WHO = {"A dog": "Ein Hund", "A cat": "Eine Katze", "A bird": "Ein Vogel", "A child": "Ein Kind"}
WHAT = {"runs": "rennt", "sleeps": "schläft", "sings": "singt", "waits": "wartet", "eats": "isst"}
WHERE = {"": "", " here": " hier", " now": " jetzt", " again": " wieder", " there": " dort"}


@pytest.fixture
def example_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the text files that the examples name."""
    every = list(product(WHO.items(), WHAT.items(), WHERE.items()))
    for name, some in (("train", every), ("test", every[::9])):
        for side, language in enumerate(("en", "de")):
            lines = [f"{who[side]} {what[side]}{where[side]}.\n" for who, what, where in some]
            (tmp_path / f"{name}.{language}").write_text("".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_examples(page: str) -> dict[str, Any]:
    """Run the Python of a page, with ten minutes of training as a few steps -> its names."""
    names: dict[str, Any] = {}
    for example in PYTHON.findall((ROOT / page).read_text(encoding="utf-8")):
        code = example.replace('budget="10m"', f"steps=20, threads=1, quiet=True, set={TINY}")
        exec(compile(code, page, "exec"), names)
    return names


def test_the_python_of_the_readme_runs(example_files: Path) -> None:
    run_examples("README.md")
    assert (example_files / "arcs.svg").exists()


def test_the_python_page_runs(example_files: Path) -> None:
    names = run_examples("docs/python.md")
    assert names["written"] == [4, 5, 6, 7, 8, 9]  # it has learnt to reverse
    assert names["loss"].item() < 0.05
    assert names["report"].n_lines == 12
    for made in ("runs/luong", "runs/en-de-ctranslate2", "exported", "dog.svg"):
        assert (example_files / made).exists()


def test_the_page_of_pictures_runs(example_files: Path) -> None:
    heedful.train(
        source="train.en", target="train.de", out="runs/en-de", steps=20, threads=1, set=TINY
    )
    run_examples("docs/see.md")
    for made in ("alignment.png", "dog.svg", "sheet.pdf"):
        assert (example_files / made).exists()
