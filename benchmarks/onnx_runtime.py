"""Does a model translate in Optimum and in transformers.js, by ONNX Runtime, as it does in heedful?

    HEEDFUL_DATA=… python benchmarks/onnx_runtime.py [run]

A tiny model, trained for two minutes unless a run is given, is exported with `heedful export --to
onnx` and loaded with the real software, each in an environment of its own: Optimum is cut off from
the network, and transformers.js, which is no Python, is only told to look for no models there. 200
sentences of a test text, twenty at a time, must come out as heedful translates them with the same
limit: theirs is that of the longest sentence, where heedful's follows from each source's length.
transformers.js, which has no beam search, is asked if there is npm to install it with. It fails if
anything differs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import heedful as toolkit
from agreement import show
from common import Alike, heedful, same
from environments import FOLDER, HERE
from outside import Outside

TRANSFORMERS_JS = "@huggingface/transformers@4.3.1"
AT_ONCE = 20  # of different lengths, so that some are padded

OPTIMUM = """
from optimum.onnxruntime import ORTModelForSeq2SeqLM
from transformers import AutoTokenizer
folder, beam, at_once = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
model = ORTModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True)
tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
found = []
for at in range(0, len(given), at_once):
    inputs = tokenizer(given[at : at + at_once], return_tensors="pt", padding=True)
    ids = model.generate(**inputs, num_beams=beam, early_stopping=beam > 1)
    found += tokenizer.batch_decode(ids, skip_special_tokens=True)
answer(found)
"""


def of_transformers_js(exported: Path, lines: list[str]) -> list[str]:
    """Under node, greedily."""
    done = subprocess.run(
        ["node", HERE / "peers" / "translate_transformers.mjs", exported, str(AT_ONCE)],
        input=json.dumps(lines), stdout=subprocess.PIPE, text=True, check=True,
        cwd=_transformers_js(),
    )  # fmt: skip
    return [str(text) for text in json.loads(done.stdout)]


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


def compare(run: Path, lines: list[str], folder: Path) -> dict[str, Alike | str]:
    """By both."""
    exported = folder / "exported"
    heedful("export", run, "--to", "onnx", "--out", exported)
    model = toolkit.load(run)
    limit = model.card.max_length + 1  # the words of the longest sentence, and its end
    greedy, beam = (
        [t.text for t in model.translate(lines, beam=k, max_length=limit)] for k in (1, 4)
    )
    optimum = Outside("optimum", folder / "home of optimum")
    figures: dict[str, Alike | str] = {"model": model.card.model.summary}
    for name, k, ours in (("greedy", 1, greedy), ("beam 4", 4, beam)):
        theirs = optimum.answer(OPTIMUM, lines, str(exported), str(k), str(AT_ONCE))
        figures[f"Optimum, {name}"] = same(lines, ours, theirs)
    if shutil.which("npm"):
        theirs = of_transformers_js(exported, lines)
        figures["transformers.js, greedy"] = same(lines, greedy, theirs)
    return figures


if __name__ == "__main__":
    show("onnx_runtime", compare)
