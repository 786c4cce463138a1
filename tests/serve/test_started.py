"""A server does not mind where and with what it is started."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from ..proc import needs_proc
from ..trained import sentences


@needs_proc
def test_what_lies_in_its_folder_is_not_imported(prose_run: Path, tmp_path: Path) -> None:
    """Neither by the process that makes a copy, nor by the worker."""
    shutil.copytree(prose_run, tmp_path / "run", ignore=shutil.ignore_patterns("ctranslate2"))
    (tmp_path / "queue.py").write_text("raise SystemExit('shadowed')", encoding="utf-8")
    asked = {"text": sentences()[0][0], "source": "en", "target": "eo"}
    command = [sys.executable, "-P", "-m", "heedful", "serve", "run", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        record = urllib.request.Request(
            f"{_address(process)}/v1/record",
            json.dumps(asked).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(record, timeout=60) as answer:
            assert answer.status == 200
        process.terminate()


@pytest.mark.skipif(sys.platform == "win32", reason="machine: sh")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_it_needs_neither_an_input_nor_an_output(prose_run: Path, closed: str) -> None:
    command = f'exec "$0" -m heedful serve "$1" --port 0 {closed}'
    with subprocess.Popen(
        ["sh", "-c", command, sys.executable, prose_run], stderr=subprocess.PIPE, text=True
    ) as process:
        with urllib.request.urlopen(f"{_address(process)}/health", timeout=60) as answer:
            assert answer.status == 200
        process.terminate()
        assert process.wait(timeout=60) == 0


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise AssertionError("it did not start")
