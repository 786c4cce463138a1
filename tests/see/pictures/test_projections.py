from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from heedful.see.pictures.projections import Unprojected, draw_projections
from heedful.see.pictures.save import save
from heedful.see.recording.attention import Attention, Working
from heedful.see.recording.inputs import inputs_of
from heedful.translator import Translator

from ..samples import svg_texts

WORDS = ("a", "b", "c")
INPUTS = np.array([[2.0, 0.0], [0.0, 2.0], [2.0, 2.0]], dtype=np.float32)


def looking(mask: NDArray[np.bool_]) -> Attention:
    weights = (mask / mask.sum(1, keepdims=True)).astype(np.float32)[None]
    nothing = np.zeros_like(weights)
    working = Working(
        "q · k", nothing, 1.0, mask, np.zeros((3, 2), np.float32), "W_O", None, None, {}
    )
    return Attention("encoder", 1, weights, WORDS, WORDS, working)


def test_by_hand() -> None:
    """x · x / √2: 4, 0 and 4 from the first word, so e^2.83, 1 and e^2.83 of their sum."""
    found = Unprojected.of(looking(np.ones((3, 3), dtype=bool)), INPUTS).weights
    power = np.exp(4 / np.sqrt(2))
    assert found[0] == pytest.approx(np.array([power, 1, power]) / (2 * power + 1))
    assert found.sum(1) == pytest.approx([1, 1, 1])


def test_it_looks_no_further_than_the_attention_may() -> None:
    mask = np.eye(3, dtype=bool)
    assert Unprojected.of(looking(mask), INPUTS).weights == pytest.approx(np.eye(3))


def test_the_shares_are_told(tmp_path: Path) -> None:
    found = Unprojected.of(looking(np.ones((3, 3), dtype=bool)), INPUTS)
    told = " ".join(svg_texts(save(draw_projections(found), tmp_path / "p.svg")))
    assert f"without: {100 * found.weights.diagonal().mean():.0f} % on average" in told
    assert "with: 33 % on average" in told


def test_what_comes_into_a_layer(prose: Translator) -> None:
    """In a post-norm model: words and positions, as the embedding makes them."""
    import torch

    model, ids = prose.model, prose.source_tokenizer.encode("The cat sees the dog here.")
    found = inputs_of(model, ids, 1)
    words = model.embed_source(torch.tensor([[*ids, 3]]))[0]
    places = model.get_submodule("source_positions")(0, len(ids) + 1)
    assert found == pytest.approx((words + places).detach().numpy(), abs=1e-6)
