"""Does a model translate in Argos Translate and LibreTranslate as it does in heedful?

    HEEDFUL_DATA=… python benchmarks/argos.py [run]

A tiny model, trained for two minutes unless a run is given (which must know its languages), is
exported with `heedful export --to argos`, and installed with the real software, which is cut off
from the network. 200 sentences of a test text, one by one, and as texts of three, must come out as
heedful translates them with the same settings: Argos has a beam of 4, divides scores by the length
to the power of 0.2, and never writes nothing. It computes with int8 unless told otherwise, whatever
the file holds (ARGOS_COMPUTE_TYPE); LibreTranslate with what the file holds. LibreTranslate ends a
translation with the mark that its source ends with, or with none: what heedful wrote is passed
through the same function before it is compared.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import heedful as toolkit
from agreement import show
from clients import Client
from common import Alike, heedful, same
from exported import Installed
from workload import Texts

TOGETHER = 3
ONE_THREAD = {"ARGOS_INTRA_THREADS": "1"}  # several share the work of a small model badly
AS_STORED = {"ARGOS_COMPUTE_TYPE": "float32"}


def of_heedful(run: Path, texts: list[str], *, int8: bool) -> list[str]:
    """With the settings that Argos has, and one by one, as it does it: with int8 a sentence may
    read otherwise beside longer ones."""
    translator = toolkit.load(run, quantize="int8" if int8 else None)
    return [translator.translate(t, beam=4, alpha=0.2, min_length=1).text for t in texts]


def of_libretranslate(installed: Installed, texts: list[str], pair: tuple[str, str]) -> list[str]:
    """Asked over HTTP."""
    server, port = installed.libretranslate(**ONE_THREAD)

    async def ask() -> list[str]:
        async with Client(port, pair) as client:
            return [await client.translate(text) for text in texts]

    try:
        found = asyncio.run(ask())
    finally:
        server.terminate()
        server.wait()
    assert not installed.tried(), installed.tried()
    return found


def compare(run: Path, lines: list[str], folder: Path) -> dict[str, Alike]:
    """By all three."""
    package = folder / "model.argosmodel"
    heedful("export", run, "--to", "argos", "--out", package)
    card = toolkit.load(run).card
    pair = str(card.text.source_lang), str(card.text.target_lang)
    longer = [" ".join(lines[at : at + TOGETHER]) for at in range(0, len(lines), TOGETHER)]
    texts = [*lines, *longer]
    whole, small = (of_heedful(run, texts, int8=int8) for int8 in (False, True))
    argos = Installed("argos", package, folder / "argos")
    libre = Installed("libretranslate", package, folder / "libretranslate")
    found = {
        "Argos Translate, int8": (small, argos.argos(texts, pair, **ONE_THREAD)),
        "Argos Translate, float32": (whole, argos.argos(texts, pair, **ONE_THREAD, **AS_STORED)),
        "LibreTranslate": (libre.finished(texts, whole), of_libretranslate(libre, texts, pair)),
    }
    n = len(lines)
    figures = {}
    for name, (ours, theirs) in found.items():
        figures[f"{name}, sentences"] = same(lines, ours[:n], theirs[:n])
        figures[f"{name}, texts of {TOGETHER}"] = same(longer, ours[n:], theirs[n:])
    return figures


def languages(texts: Texts) -> list[str]:
    """Which a package must name."""
    return ["--source-lang", "en", "--target-lang", texts.train.target.suffix[1:]]


if __name__ == "__main__":
    show("argos", compare, languages)
