"""Does a glossary's term stand where it must, and what does that cost?

    HEEDFUL_DATA=… python benchmarks/glossary.py [run]

500 sentences of Multi30k's validation and test texts that contain one of the terms below, each of
which is to be called by a word that the model would not choose by itself. Told are the share of the
sentences in which the word stands, with the glossary and without, BLEU of both against the
references (which do not know the glossary's words; so also with these words put into the references
by hand where they have the usual ones), and sentences a second. Both copy numbers and the like, as
the server does. The two take turns; medians. It fails if the word stands in less than 99 % with the
glossary.
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sacrebleu

import heedful as toolkit
from common import data_folder, heedful, keep

SENTENCES, PASSES = 500, 3
LEAST = 99  # percent of the sentences with the term
GLOSSARY = {
    # term: what it is to be called, and what references usually call it
    "dog": ("Köter", "Hund"),
    "man": ("Herr", "Mann"),
    "woman": ("Dame", "Frau"),
    "boy": ("Knabe", "Junge"),
    "girl": ("Göre", "Mädchen"),
    "street": ("Gasse", "Straße"),
    "water": ("Nass", "Wasser"),
    "child": ("Sprössling", "Kind"),
    "grass": ("Rasen", "Gras"),
    "ball": ("Spielball", "Ball"),
    "car": ("Kraftwagen", "Auto"),
    "horse": ("Ross", "Pferd"),
    "bike": ("Drahtesel", "Fahrrad"),
    "beach": ("Meeresufer", "Strand"),
}


def pairs(folder: Path) -> list[tuple[str, str]]:
    """The first sentences with a term."""
    found = []
    any_term = re.compile(rf"\b(?:{'|'.join(GLOSSARY)})\b", re.IGNORECASE)
    for name in ("test2016", "val"):
        sides = [
            (folder / f"{name}.{side}").read_text("utf-8").splitlines() for side in ("en", "de")
        ]
        found += [pair for pair in zip(*sides, strict=True) if any_term.search(pair[0])]
    return found[:SENTENCES]


def wanted(source: str) -> list[str]:
    """What must stand in a translation."""
    return [
        called
        for term, (called, _) in GLOSSARY.items()
        if re.search(rf"\b{term}\b", source, re.IGNORECASE)
    ]


def with_terms(reference: str, source: str) -> str:
    """A reference that knows the glossary."""
    for term, (called, usual) in GLOSSARY.items():
        if re.search(rf"\b{term}\b", source, re.IGNORECASE):
            reference = re.sub(rf"\b{usual}\b", called, reference)
    return reference


def share(sources: Sequence[str], translations: Sequence[str]) -> float:
    """Percent of the sentences that have all their terms, as words of their own."""
    both = zip(sources, translations, strict=True)
    right = [
        all(re.search(rf"\b{word}\b", text) for word in wanted(source)) for source, text in both
    ]
    return round(100 * statistics.mean(right), 1)


def bleu(translations: Sequence[str], references: Sequence[str]) -> float:
    """With sacreBLEU's usual settings."""
    return round(sacrebleu.corpus_bleu(list(translations), [list(references)]).score, 1)


def measure(run: Path) -> dict[str, Any]:
    """Both ways, in turn."""
    found = pairs(data_folder() / "multi30k")
    sources, references = [s for s, _ in found], [t for _, t in found]
    knowing = [with_terms(t, s) for s, t in found]
    translator = toolkit.load(run)
    glossary = {term: called for term, (called, _) in GLOSSARY.items()}
    options: dict[str, dict[str, Any]] = {
        "without": {"copy": True},
        "with": {"copy": True, "glossary": glossary},
    }
    figures: dict[str, Any] = {"sentences": len(found)}
    texts: dict[str, list[str]] = {}
    rates: dict[str, list[float]] = {"without": [], "with": []}
    for _ in range(PASSES):
        for way, asked in options.items():
            started = time.perf_counter()
            texts[way] = [t.text for t in translator.translate(sources, beam=4, **asked)]
            rates[way].append(len(sources) / (time.perf_counter() - started))
    for way in options:
        figures |= {
            f"% with the term, {way} the glossary": share(sources, texts[way]),
            f"BLEU, {way}": bleu(texts[way], references),
            f"BLEU, {way}, by references that know it": bleu(texts[way], knowing),
            f"sentences/s, {way}": round(statistics.median(rates[way])),
        }
    return figures


def main() -> None:
    """With a model of four minutes, unless there is one."""
    with tempfile.TemporaryDirectory() as temporary:
        run = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary) / "run"
        if not run.exists():
            texts = data_folder() / "multi30k"
            heedful("train", "--source", texts / "train.en", "--target", texts / "train.de",
                    "--preset", "tiny", "--budget", "4m", "--out", run)  # fmt: skip
        figures = measure(run)
    keep("glossary", figures)
    if figures["% with the term, with the glossary"] < LEAST:
        sys.exit(f"the term must stand in {LEAST} % of the sentences")


if __name__ == "__main__":
    main()
