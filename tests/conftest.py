"""What all tests share: quiet threads, and no skipping in CI of what the machine could have run."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

IN_CI = os.environ.get("CI", "") not in ("", "0", "false")


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
