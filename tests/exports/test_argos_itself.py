"""Argos Translate itself installs the package and translates with it, cut off from the network."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import heedful
from heedful.exports.export import export_model

from ..trained import sentences

LINES = [source for source, _ in sentences()[380:]]

# As a user would, but that nothing may be reached.
PROGRAM = """
import json, socket, sys
tried = []
def refuse(*address):
    tried.append(str(address))
    raise OSError("there is no network here")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from argostranslate import package, translate
package.install_from_path(sys.argv[1])
found = translate.get_translation_from_codes("en", "eo")
texts = [found.translate(line) for line in json.load(sys.stdin)]
open(sys.argv[2], "w", encoding="utf-8").write(json.dumps({"texts": texts, "tried": tried}))
"""


@pytest.mark.skipif(
    importlib.util.find_spec("argostranslate") is None,
    reason="no Argos Translate here: install heedful[dev]",
)
def test_it_is_installed_and_translates(prose_run: Path, tmp_path: Path) -> None:
    """With its own settings: a beam of 4, scores divided by the length to the power of 0.2."""
    package = export_model(prose_run, tmp_path / "en-eo.argosmodel", to="argos", quantize=None)
    folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("DATA", "CONFIG", "CACHE")}
    settings = {"HOME": str(tmp_path), "ARGOS_COMPUTE_TYPE": "float32", "ARGOS_INTRA_THREADS": "1"}
    texts = [*LINES, " ".join(LINES[:3])]
    subprocess.run(
        [sys.executable, "-c", PROGRAM, package, tmp_path / "answer.json"],
        input=json.dumps(texts), text=True, check=True, cwd=tmp_path,
        env=os.environ | folders | settings,
    )  # fmt: skip
    answer = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    ours = heedful.load(prose_run, threads=1).translate(texts, beam=4, alpha=0.2)
    assert answer == {"texts": [translation.text for translation in ours], "tried": []}
