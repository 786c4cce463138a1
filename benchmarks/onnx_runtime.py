"""Does a model translate in Optimum and in transformers.js, by ONNX Runtime, as it does in heedful?

    HEEDFUL_DATA=… python benchmarks/onnx_runtime.py [run]

A tiny model, trained for two minutes unless a run is given, is exported with `heedful export --to
onnx` and loaded with the real software, each in an environment of its own and without the network.
200 sentences of a test text, twenty at a time, must come out as heedful translates them with the
same limit: theirs is that of the longest sentence, where heedful's follows from each source's
length. transformers.js, which has no beam search, is asked if there is npm to install it with.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import heedful as toolkit
from common import heedful, keep, same
from environments import FOLDER, HERE, python_of
from workload import make_texts

SENTENCES = 200
TRANSFORMERS_JS = "@huggingface/transformers@4.3.1"
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "PYTHONPATH": ""}


def of_optimum(exported: Path, lines: list[str], beam: int) -> list[str]:
    """In its own environment."""
    program = HERE / "peers" / "translate_optimum.py"
    return _answer([python_of("optimum"), program, exported, str(beam)], lines)


def of_transformers_js(exported: Path, lines: list[str]) -> list[str]:
    """Under node, greedily."""
    program = HERE / "peers" / "translate_transformers.mjs"
    return _answer(["node", program, exported], lines, _transformers_js())


def _transformers_js() -> Path:
    """The folder that it is installed in, now if it is not there. What it would download beside
    the packages serves graphics cards alone."""
    folder = FOLDER / "transformers.js"
    ready = folder / "ready"
    if not ready.exists() or ready.read_text() != TRANSFORMERS_JS:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        install = ["npm", "install", "--ignore-scripts", "--silent", TRANSFORMERS_JS]
        subprocess.run(install, check=True, cwd=folder, stdout=sys.stderr)
        ready.write_text(TRANSFORMERS_JS)
    return folder


def _answer(command: list[str | Path], lines: list[str], folder: Path | None = None) -> list[str]:
    done = subprocess.run(
        command, input=json.dumps(lines), stdout=subprocess.PIPE, text=True, check=True,
        cwd=folder, env=os.environ | OFFLINE,
    )  # fmt: skip
    return [str(text) for text in json.loads(done.stdout)]


def compare(run: Path, lines: list[str], exported: Path) -> dict[str, str]:
    """By both."""
    heedful("export", run, "--to", "onnx", "--out", exported)
    model = toolkit.load(run)
    limit = model.card.max_length
    greedy, beam = (
        [t.text for t in model.translate(lines, beam=k, max_length=limit)] for k in (1, 4)
    )
    figures = {
        "model": model.card.model.summary,
        "Optimum, greedy": same(lines, greedy, of_optimum(exported, lines, 1)),
        "Optimum, beam 4": same(lines, beam, of_optimum(exported, lines, 4)),
    }
    if shutil.which("npm"):
        theirs = of_transformers_js(exported, lines)
        figures["transformers.js, greedy"] = same(lines, greedy, theirs)
    return figures


def main() -> None:
    """With a model of two minutes, unless there is one."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run = Path(sys.argv[1]) if len(sys.argv) > 1 else folder / "run"
        if not run.exists():
            heedful("train", "--source", texts.train.source, "--target", texts.train.target,
                    "--preset", "tiny", "--budget", os.environ.get("BUDGET", "120s"),
                    "--out", run)  # fmt: skip
        lines = texts.test.source.read_text(encoding="utf-8").splitlines()[:SENTENCES]
        keep("onnx", compare(run, lines, folder / "exported"))


if __name__ == "__main__":
    main()
