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

from heedful.wire import content, number

# Numbers of onnx.proto.
_IR, _PRODUCER, _GRAPH, _OPSET, _METADATA = 1, 2, 7, 8, 14  # in ModelProto
_NODE, _NAME, _INITIALIZER, _INPUT, _OUTPUT = 1, 2, 5, 11, 12  # in GraphProto
_FLOAT, _INT64 = 1, 7  # types of elements
_IR_VERSION, _OPSET_VERSION = 8, 13

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
    return b"".join(
        [
            number(_IR, _IR_VERSION),
            content(_PRODUCER, "heedful"),
            content(_GRAPH, _graph(units)),
            content(_OPSET, number(2, _OPSET_VERSION)),
            *(content(_METADATA, content(1, k) + content(2, v)) for k, v in metadata.items()),
        ]
    )


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


def _graph(units: Sequence[str]) -> bytes:
    """units (B, N) -> scores (B, N, 5)."""
    return b"".join(
        [
            *(content(_NODE, _node(*node)) for node in _NODES),
            content(_NAME, "sentence ends"),
            *(content(_INITIALIZER, _tensor(name, a)) for name, a in _arrays(units).items()),
            content(_INPUT, _value("units", _INT64, ["B", "N"])),
            content(_INPUT, _value("features", _FLOAT, ["B", "N", "F"])),
            content(_OUTPUT, _value("scores", _FLOAT, ["B", "N", str(CLASSES)])),
        ]
    )


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


def _node(kind: str, inputs: Sequence[str], output: str) -> bytes:
    return b"".join(content(1, name) for name in inputs) + content(2, output) + content(4, kind)


def _tensor(name: str, array: np.ndarray) -> bytes:
    kind = _FLOAT if array.dtype == np.float32 else _INT64
    data = array.astype("<f4" if kind == _FLOAT else "<i8").tobytes()
    dims = b"".join(number(1, size) for size in array.shape)
    return dims + number(2, kind) + content(8, name) + content(9, data)


def _value(name: str, kind: int, shape: Sequence[str]) -> bytes:
    dims = b"".join(content(1, content(2, size)) for size in shape)
    return content(1, name) + content(2, content(1, number(1, kind) + content(2, dims)))
