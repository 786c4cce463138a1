"""Where sentences end, as a network in the format ONNX: for Argos Translate, whose own splitter
would be downloaded when it is first used.

Its rule is ours, as far as a character can see: a sentence ends at one of . ! ? and their kin where
a space follows, and no small letter behind it; at 。and its kin always.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np

from heedful.exports.onnx_file import FLOAT, INT64, Graph, onnx_file

PAD, UNKNOWN = "<PAD>", "<UNK>"  # MiniSBD's
SPACED, UNSPACED = ".!?…‽؟۔।॥។။։", "。！？｡"
CLASSES = 5  # nothing, end of a word, end of a sentence, and two more
SENTENCE_END = 2


def sentence_ends(language: str) -> bytes:
    """The network, for MiniSBD."""
    letters = [c for c in map(chr, range(sys.maxunicode)) if c.islower() and ord(c) < 0x600]
    units = [PAD, UNKNOWN, " ", *SPACED, *UNSPACED, *letters]
    vocabulary = {
        "lang": language, "idx": 0, "cutoff": 0, "lower": False, "_id2unit": units,
        "_unit2id": {unit: n for n, unit in enumerate(units)},
    }  # fmt: skip
    metadata = {
        "lang_code": language,
        "config": json.dumps({"feat_funcs": [], "max_seqlen": 1000, "batch_size": 8}),
        "vocab": json.dumps(vocabulary),
    }
    return onnx_file(_graph(units), metadata)


_NODES = (
    ("Pad", ["units", "pads"], "padded"),
    ("Slice", ["padded", "one", "end", "one"], "next"),
    ("Slice", ["padded", "two", "far", "one"], "after"),
    ("Gather", ["spaced", "units"], "is_mark"),
    ("Gather", ["unspaced", "units"], "is_wide"),
    ("Gather", ["space", "next"], "has_space"),
    ("Gather", ["small", "after"], "goes_on"),
    ("Sub", ["whole", "goes_on"], "begins"),
    ("Mul", ["is_mark", "has_space"], "may_end"),
    ("Mul", ["may_end", "begins"], "ends"),
    ("Max", ["ends", "is_wide"], "ended"),
    ("Unsqueeze", ["ended", "two"], "column"),
    ("Mul", ["column", "result"], "marked"),
    ("Add", ["marked", "nothing"], "scores"),
)


def _graph(units: Sequence[str]) -> Graph:
    """units (B, N) -> scores (B, N, 5)."""
    graph = Graph("sentence ends")
    graph.input("units", INT64, ["B", "N"])
    graph.input("features", FLOAT, ["B", "N", "F"])
    for name, array in _arrays(units).items():
        graph.array(name, array)
    for kind, inputs, output in _NODES:
        graph.node(kind, *inputs, gives=output)
    graph.output("scores", FLOAT, ["B", "N", CLASSES])
    return graph


def _arrays(units: Sequence[str]) -> dict[str, np.ndarray]:
    """What the nodes know: which units are marks, spaces and small letters, and some numbers."""

    def flags(of: Sequence[str]) -> np.ndarray:
        return np.array([unit in of for unit in units], dtype=np.float32)

    small = [unit for unit in units if len(unit) == 1 and unit.islower()]
    result = np.zeros(CLASSES, dtype=np.float32)
    result[SENTENCE_END] = 1
    nothing = np.zeros(CLASSES, dtype=np.float32)
    nothing[0] = 0.5
    return {
        "spaced": flags(list(SPACED)), "unspaced": flags(list(UNSPACED)),
        "space": flags([" ", PAD]), "small": flags(small), "result": result, "nothing": nothing,
        "pads": np.array([0, 0, 0, 2]), "one": np.array([1]), "two": np.array([2]),
        "end": np.array([-1]), "far": np.array([2**31 - 1]), "whole": np.array(1, np.float32),
    }  # fmt: skip
