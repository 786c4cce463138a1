"""A real browser for the tests of pages; conftest.py hands its fixtures to all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HERE = "http://127.0.0.1"

in_a_browser = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium"),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for a file of tests: as long as it is there, nothing else can use asyncio."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def faults() -> list[str]:
    """What the browser complains of."""
    return []


@pytest.fixture
def page(browser: Browser, faults: list[str]) -> Iterator[Page]:
    """One whose console must stay silent, and which asks nobody but this machine."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
    page.on(
        "request",
        lambda r: None if r.url.startswith((HERE, "file:", "data:", "blob:"))
        else faults.append(r.url),
    )  # fmt: skip
    yield page
    context.close()
    assert not faults
