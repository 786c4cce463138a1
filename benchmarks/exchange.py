"""Does a model translate in CTranslate2 and in transformers as it does in heedful, and come back?

    HEEDFUL_DATA=… python benchmarks/exchange.py [run]

A tiny model, trained for two minutes unless a run is given (one that normalises after each
sub-layer, as MarianMT does), is exported, and 200 sentences of a test text are translated with the
real libraries from the package index: CTranslate2 with SentencePiece, and transformers, each in an
environment of its own in which heedful is not, cut off from the network. transformers is told
nothing: beam and all come from the folder; CTranslate2 is told the beam and the limit. What was
exported as MarianMT is imported again, which must translate the same, and exported once more, which
must give the same arrays to the last bit. It fails if anything differs.
"""

from __future__ import annotations

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


def compare(run: Path, lines: list[str], folder: Path) -> dict[str, Alike]:
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


def same_arrays(one: Path, other: Path) -> Alike:
    """To the last bit."""
    before, after = (load_file(path / "model.safetensors") for path in (one, other))
    assert before.keys() == after.keys()
    equal = [name for name in before if np.array_equal(before[name], after[name])]
    return Alike(len(equal), len(before))


if __name__ == "__main__":
    # Normalised after each sub-layer, as MarianMT is.
    show("exchange", compare, lambda texts: ["--set", "model.pre_norm=false"])
