"""Does a model translate in CTranslate2 and in transformers as it does in heedful, and come back?

    HEEDFUL_DATA=… python benchmarks/exchange.py [run]

Two tiny models, trained for two minutes each unless a run is given, are exported: one with pre-norm
layers, as budgets train them, which is a Pegasus model to transformers, and one with post-norm
layers, a MarianMT model. 200 sentences of a test text are translated with the real libraries from
the package index: CTranslate2 with SentencePiece, and transformers, each in an environment of its
own without heedful and without a network. transformers takes beam and limit from the folder, and
translates once more with greedy search; CTranslate2 gets beam and limit as arguments. What was
exported to transformers is imported again, which must translate the same, and exported once more,
which must give the same arrays to the last bit. It fails if anything differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

import heedful as toolkit
from agreement import show
from common import Alike, heedful, same
from outside import Outside

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

TRANSFORMERS = """
import torch, transformers
torch.set_num_threads(1)
tokenizer = transformers.AutoTokenizer.from_pretrained(sys.argv[2])
model = transformers.AutoModelForSeq2SeqLM.from_pretrained(sys.argv[2]).eval()
greedy = {"num_beams": 1, "early_stopping": False} if sys.argv[3] == "greedy" else {}
found = []
for text in given:
    ids = model.generate(**tokenizer([text], return_tensors="pt"), **greedy)[0]
    found.append(tokenizer.decode(ids, skip_special_tokens=True))
answer(found)
"""


def translated(run: Path, lines: list[str], **settings: int) -> list[str]:
    """By heedful, each line as one sentence, and as many tokens at most as the folder allows."""
    model = toolkit.load(run)
    settings["max_length"] = model.card.max_length + 1
    found = model.translate(lines, split_sentences=False, **settings)
    return [translation.text for translation in found]


def compare(run: Path, lines: list[str], folder: Path) -> dict[str, Alike]:
    """By all of them."""
    plain, theirs, back, again = (folder / name for name in ("plain", "theirs", "back", "again"))
    heedful("export", run, "--to", "ctranslate2", "--out", plain)
    heedful("export", run, "--to", "huggingface", "--out", theirs)
    heedful("import", theirs, "--out", back)
    heedful("export", back, "--to", "huggingface", "--out", again)
    ours, greedy = translated(run, lines), translated(run, lines, beam=1)
    card = toolkit.load(run).card
    search = str(card.decoding.beam), str(card.max_length + 1)
    ctranslate2 = Outside("ctranslate2", folder / "home of ctranslate2")
    transformers = Outside("marian", folder / "home of transformers")

    def by_transformers(search: str) -> list[str]:
        return transformers.answer(TRANSFORMERS, lines, str(theirs), search)

    return {
        "CTranslate2": same(
            lines, ours, ctranslate2.answer(CTRANSLATE2, lines, str(plain), *search)
        ),
        "transformers": same(lines, ours, by_transformers("as the folder says")),
        "transformers, greedy": same(lines, greedy, by_transformers("greedy")),
        "imported again": same(lines, ours, translated(back, lines)),
        "arrays, exported again": same_arrays(theirs, again),
    }


def same_arrays(one: Path, other: Path) -> Alike:
    """To the last bit."""
    before, after = (load_file(path / "model.safetensors") for path in (one, other))
    assert before.keys() == after.keys()
    equal = [name for name in before if np.array_equal(before[name], after[name])]
    return Alike(len(equal), len(before))


if __name__ == "__main__":
    show("exchange", compare)
    if len(sys.argv) == 1:
        show("exchange_post_norm", compare, lambda texts: ["--set", "model.pre_norm=false"])
