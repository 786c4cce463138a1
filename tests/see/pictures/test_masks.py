from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.see.pictures.masks import draw_masks
from heedful.see.pictures.save import save
from heedful.see.recording.attention import Attention, Kind, Working
from heedful.see.recording.record import Record
from heedful.see.recording.walk import softmax

from ..samples import attention, svg_texts

WORDS = ("a", "b", "c", "d", "e", "f")


def masked(kind: Kind, mask: NDArray[np.bool_]) -> Attention:
    """Scores that are all alike, under a mask."""
    scores = np.zeros((1, *mask.shape), dtype=np.float32)
    weights = softmax(np.where(mask, scores, -np.inf))
    working = Working(
        "q · k", scores, 1.0, mask, np.zeros((len(mask), 2), np.float32), "W_O", None, None, {}
    )
    return Attention(kind, 1, weights, WORDS, WORDS, working)


def test_what_each_mask_takes_away(tmp_path: Path) -> None:
    everywhere = np.ones((6, 6), dtype=bool)
    record = Record(
        "s", "t", WORDS, WORDS, (masked("encoder", everywhere), masked("decoder", np.tri(6) > 0))
    )
    told = " ".join(svg_texts(save(draw_masks(record), tmp_path / "m.svg")))
    assert "encoder: 18 of 54 pairs removed" in told
    assert "decoder: 15 of 36 pairs removed" in told
    assert f"{100 * 15 / 36:.0f} % of the weight" in told
    assert "a window of 2: 12 of 36 pairs removed" in told
    assert told.count("<pad>") == 3 + 1
    assert "blue: may be looked at; white: removed. <pad> is an example" in told
    assert told.count("% of the weight") == 2  # of what padding would have got nobody knows


def test_a_model_without_attention(tmp_path: Path) -> None:
    record = Record("s", "t", WORDS, WORDS, (attention(WORDS, WORDS, kind="saliency"),))
    with pytest.raises(InputError, match="no attention"):
        save(draw_masks(record), tmp_path / "m.svg")
