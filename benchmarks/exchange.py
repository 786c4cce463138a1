"""Does a model translate in CTranslate2 and in transformers as it does in heedful, and come back?

    HEEDFUL_DATA=… python benchmarks/exchange.py [run]

A tiny model, trained for two minutes unless a run is given (one that normalises after each
sub-layer, as MarianMT does), is exported, and 200 sentences of a test text are translated with the
real libraries from the package index: CTranslate2 with SentencePiece, and transformers, each in an
environment of its own in which heedful is not, cut off from the network. transformers is told
nothing: beam and all come from the folder; CTranslate2 is told the beam and the limit. What was
exported as MarianMT is imported again, which must translate the same, and exported once more, which
must give the same arrays to the last bit.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

import heedful as toolkit
from common import heedful, keep, same
from outside import Outside
from workload import make_texts

SENTENCES = 200

CTRANSLATE2 = """
import ctranslate2, sentencepiece
folder = sys.argv[2]
pieces = sentencepiece.SentencePieceProcessor(folder + "/tokenizer.model")
model = ctranslate2.Translator(folder, intra_threads=1)
found = model.translate_batch(
    pieces.encode(given, out_type=str), beam_size=int(sys.argv[3]),
    max_decoding_length=int(sys.argv[4]),
)
answer([pieces.decode(one.hypotheses[0]) for one in found])
"""

MARIAN = """
import torch, transformers
torch.set_num_threads(1)
tokenizer = transformers.AutoTokenizer.from_pretrained(sys.argv[2])
model = transformers.AutoModelForSeq2SeqLM.from_pretrained(sys.argv[2]).eval()
found = []
for text in given:
    ids = model.generate(**tokenizer([text], return_tensors="pt"))[0]
    found.append(tokenizer.decode(ids, skip_special_tokens=True))
answer(found)
"""


def translated(run: Path, lines: list[str]) -> list[str]:
    """By heedful, with the run's own settings; each line as one sentence, as others take it."""
    found = toolkit.load(run).translate(lines, split_sentences=False)
    return [translation.text for translation in found]


def compare(run: Path, lines: list[str], folder: Path) -> dict[str, Any]:
    """By all of them."""
    plain, marian, back, again = (folder / name for name in ("plain", "marian", "back", "again"))
    heedful("export", run, "--to", "ctranslate2", "--out", plain)
    heedful("export", run, "--to", "huggingface", "--out", marian)
    heedful("import", marian, "--out", back)
    heedful("export", back, "--to", "huggingface", "--out", again)
    ours = translated(run, lines)
    card = toolkit.load(run).card
    search = str(card.decoding.beam), str(card.max_length + 1)
    ctranslate2 = Outside("ctranslate2", folder / "home of ctranslate2")
    transformers = Outside("marian", folder / "home of transformers")
    return {
        "CTranslate2": same(
            lines, ours, ctranslate2.answer(CTRANSLATE2, lines, str(plain), *search)
        ),
        "transformers": same(lines, ours, transformers.answer(MARIAN, lines, str(marian))),
        "imported again": same(lines, ours, translated(back, lines)),
        "arrays, exported again": same_arrays(marian, again),
    }


def same_arrays(one: Path, other: Path) -> str:
    """To the last bit."""
    before, after = (load_file(path / "model.safetensors") for path in (one, other))
    assert before.keys() == after.keys()
    equal = [name for name in before if np.array_equal(before[name], after[name])]
    return f"{len(equal)} of {len(before)}"


def main() -> None:
    """With a model of two minutes, unless there is one."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run = Path(sys.argv[1]) if len(sys.argv) > 1 else folder / "run"
        if not run.exists():
            heedful("train", "--source", texts.train.source, "--target", texts.train.target,
                    "--preset", "tiny", "--set", "model.pre_norm=false",
                    "--budget", os.environ.get("BUDGET", "120s"), "--out", run)  # fmt: skip
        lines = texts.test.source.read_text(encoding="utf-8").splitlines()[:SENTENCES]
        keep("exchange", {"text": texts.name} | compare(run, lines, folder))


if __name__ == "__main__":
    main()
