"""What all tests share: quiet threads, and no skipping in CI of what the machine could have run."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import heedful
from heedful import cli

from .chromium import browser, faults, page
from .trained import LIKE_A_BUDGET, TINY, Answer, Command, Text, backwards, sentences, write_pairs

if TYPE_CHECKING:
    from heedful.translator import Translator


__all__ = ["browser", "faults", "page"]  # fixtures for all tests of pages
IN_CI = os.environ.get("CI", "") not in ("", "0", "false")


def pytest_configure() -> None:
    """What a shell starts in the background ignores Ctrl+C, and so does all that it starts in turn:
    then the tests of it would wait for ever."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on real corpora run where HEEDFUL_DATA says that there are some."""
    data = os.environ.get("HEEDFUL_DATA", "")
    if data and Path(data).is_dir():
        return
    absent = pytest.mark.skip(reason="machine: HEEDFUL_DATA names no folder with real corpora")
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(absent)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a skip is a failure, unless its reason says that the machine lacks what it needs."""
    report = yield
    if IN_CI and report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if "machine:" not in reason:
            report.outcome = "failed"
            report.longrepr = f"skipped in CI: {reason}"
    return report


@pytest.fixture
def data_folder() -> Path:
    """The real corpora."""
    return Path(os.environ["HEEDFUL_DATA"])


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line, called in this process."""

    def call(*arguments: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["heedful", *map(str, arguments)])
        capsys.readouterr()
        code: object = 0
        try:
            with warnings.catch_warnings():
                # It takes a test that lets it read sys.argv, as the real command does, for a slip.
                warnings.filterwarnings("ignore", "Cyclopts application invoked without tokens")
                cli.main()
        except SystemExit as end:
            code = end.code
        told = capsys.readouterr()
        assert code is None or isinstance(code, int)
        return Answer(code or 0, told.out, told.err)

    return call


@pytest.fixture(scope="session")
def prose_text(tmp_path_factory: pytest.TempPathFactory) -> Text:
    """400 sentences."""
    return write_pairs(tmp_path_factory.mktemp("prose-text"), sentences()[:400])


@pytest.fixture(scope="session")
def prose_run(tmp_path_factory: pytest.TempPathFactory, prose_text: Text) -> Path:
    """A run on sentences, cut into subwords. Nobody may change it: copy it first."""
    out = tmp_path_factory.mktemp("runs") / "prose"
    heedful.train(
        out=out,
        **prose_text.options,
        source_lang="en",
        target_lang="eo",
        steps=150,
        threads=1,
        set=(*TINY, "training.batch_tokens=1024", "training.peak_rate=0.01"),
        quiet=True,
    )
    return out


@pytest.fixture(scope="session")
def pre_norm_run(tmp_path_factory: pytest.TempPathFactory, prose_text: Text) -> Path:
    """The same with pre-norm layers. Copy it before changing anything."""
    out = tmp_path_factory.mktemp("runs") / "pre-norm"
    heedful.train(
        out=out,
        **prose_text.options,
        source_lang="en",
        target_lang="eo",
        steps=150,
        threads=1,
        set=LIKE_A_BUDGET,
        quiet=True,
    )
    return out


@pytest.fixture(scope="session")
def prose(prose_run: Path) -> Translator:
    """Its translator."""
    return heedful.load(prose_run, threads=1)


@pytest.fixture(scope="session")
def chars_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on words, cut into characters, that are to be reversed. Nobody may change it."""
    folder = tmp_path_factory.mktemp("chars")
    heedful.train(
        out=folder / "run",
        **write_pairs(folder, backwards(300)).options,
        source_tokens="chars",
        target_tokens="chars",
        steps=20,
        threads=1,
        set=TINY,
        quiet=True,
    )
    return folder / "run"


@pytest.fixture(scope="session")
def chars(chars_run: Path) -> Translator:
    """Its translator."""
    return heedful.load(chars_run, threads=1)
