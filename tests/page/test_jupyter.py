"""The widget in a running JupyterLab, where there is one: it is no dependency of ours."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from ..chromium import in_a_browser
from ..waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

SENTENCE = "The cat sees the dog here."
CELL = """import heedful
record = heedful.load({run!r}).attend({sentence!r}, vectors="all")
record"""

pytestmark = [
    *in_a_browser,
    pytest.mark.skipif(
        find_spec("jupyterlab") is None,
        reason="machine: no JupyterLab here: pip install jupyterlab",
    ),
]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """Its address; it keeps nothing outside of the test's folder. Ask for it before the page, which
    then ends first and misses nothing."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", "--ip=127.0.0.1",
         f"--port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}"],
        env=os.environ | {name: str(tmp_path / ".jupyter") for name in places},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}/"
    try:
        wait_until(lambda: answers(f"{address}api"), patience=120)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=60)


def answers(address: str) -> bool:
    try:
        urlopen(address, timeout=60).close()
    except OSError:
        return False
    return True


def write_notebook(path: Path, cell: str) -> None:
    code: dict[str, object] = {"cell_type": "code", "id": "a", "metadata": {}, "source": cell}
    code |= {"execution_count": None, "outputs": []}
    kernel = {"kernelspec": {"display_name": "Python 3", "name": "python3"}}
    notebook = {"cells": [code], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")


def open_notebook(page: Page, lab: str) -> None:
    """Until its kernel is ready: what is run before may be lost. JupyterLab does not ask whether it
    may be left."""
    page.set_default_timeout(60_000)
    page.add_init_script(
        "addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)"
    )
    page.goto(f"{lab}lab/tree/see.ipynb")
    page.locator(".jp-CodeCell").first.click()
    ready = '.jp-Notebook-ExecutionIndicator[data-status="idle"]'
    page.wait_for_selector(ready)


def choose(page: Page, menu: str, *items: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    for item in items[:-1]:
        page.locator(".lm-Menu").get_by_text(item, exact=True).hover()
    page.locator(".lm-Menu").get_by_text(items[-1], exact=True).click()


def test_a_record_shows_itself(lab: str, page: Page, tmp_path: Path, prose_run: Path) -> None:
    write_notebook(tmp_path / "see.ipynb", CELL.format(run=str(prose_run), sentence=SENTENCE))
    open_notebook(page, lab)
    choose(page, "Run", "Run All Cells")
    page.wait_for_selector(".view .arcs", timeout=120_000)
    view = page.locator(".view")
    view.locator('.word[data-side="query"]').nth(1).hover()
    assert view.locator(".band").get_attribute("visibility") == "visible"
    view.locator(".head").nth(1).click()
    assert view.locator(".head").nth(1).get_attribute("aria-pressed") == "true"
    assert view.locator(".walk table").count() == 1
    choose(page, "Settings", "Theme", "JupyterLab Dark")
    page.wait_for_selector('.heedful[data-theme="dark"]')
    choose(page, "Settings", "Theme", "JupyterLab Light")
    page.wait_for_selector('.heedful[data-theme="light"]')


def test_it_is_there_again_without_a_kernel(
    lab: str, page: Page, tmp_path: Path, prose_run: Path
) -> None:
    """If the notebook keeps its widgets."""
    path = tmp_path / "see.ipynb"
    write_notebook(path, CELL.format(run=str(prose_run), sentence=SENTENCE))
    open_notebook(page, lab)
    choose(page, "Settings", "Save Widget State Automatically")
    choose(page, "Run", "Run All Cells")
    page.wait_for_selector(".view .arcs", timeout=120_000)
    choose(page, "Kernel", "Shut Down Kernel")
    choose(page, "File", "Save Notebook")
    page.wait_for_function(
        "async () => (await (await fetch('/api/contents/see.ipynb')).json())"
        ".content.metadata.widgets !== undefined"
    )
    page.goto("about:blank")
    page.goto(f"{lab}lab/tree/see.ipynb?reset")
    page.wait_for_selector(".view .arcs")
    page.locator('.view .word[data-side="query"]').nth(1).hover()
    assert page.locator(".view .band").get_attribute("visibility") == "visible"
