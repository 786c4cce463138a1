"""Records to draw, and readers of what was drawn."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from heedful.see.recording.attention import Attention, Kind

ENGLISH = ("▁The", "▁animal", "▁did", "n", "'", "t", "▁move", "</s>")
FRENCH = ("▁L", "'", "animal", "▁n", "'", "a", "▁pas", "▁boug", "é", "</s>")
KOREAN = ("▁그", "▁동물", "은", "▁움직", "이지", "▁않았다", "</s>")


def attention(
    queries: Sequence[str] = FRENCH,
    keys: Sequence[str] = ENGLISH,
    *,
    heads: int = 3,
    kind: Kind = "cross",
    layer: int = 2,
    seed: int = 7,
) -> Attention:
    """Random weights whose rows sum to one."""
    scores = np.random.default_rng(seed).normal(size=(heads, len(queries), len(keys)))
    weights = np.exp(2 * scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return Attention(kind, layer, weights.astype(np.float32), tuple(queries), tuple(keys))


def png_size(path: Path) -> tuple[int, int]:
    """Width and height, from the header and after a look at both ends."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert data.endswith(b"IEND\xaeB`\x82")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def svg_texts(path: Path) -> list[str]:
    """The texts of a picture, as a reader could search for them."""
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
