"""Weights out of a model, onto the disk, and back into another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from heedful.errors import ModelFolderError
from heedful.files import USUAL_MODE
from heedful.models.build import build
from heedful.models.config import TransformerConfig
from heedful.models.seq2seq import AnySeq2Seq
from heedful.models.weights import load_weights, save_tensors, weights

ORIGIN = Path("model.safetensors")


def make(seed: int, d_ff: int = 37, tie: Any = "two") -> AnySeq2Seq:
    torch.manual_seed(seed)
    config = TransformerConfig(n_layers=3, d_model=22, d_ff=d_ff, n_heads=2, tie=tie)
    return build(config, source_vocabulary=29, target_vocabulary=29, max_length=19)


def cloned(model: AnySeq2Seq) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in weights(model).items()}


@pytest.mark.parametrize("tie", ["three", "two", "none"])
def test_they_come_back_from_the_disk(tmp_path: Path, tie: str) -> None:
    first, second = make(1, tie=tie), make(2, tie=tie)
    save_tensors(weights(first), tmp_path / "file")
    stored = load_file(tmp_path / "file")
    load_weights(second, stored, origin=ORIGIN)
    torch.testing.assert_close(weights(second), weights(first), rtol=0, atol=0)
    n_tables = {"three": 1, "two": 2, "none": 3}[tie]  # a shared one is stored once
    assert sum(tensor.shape == (29, 22) for tensor in stored.values()) == n_tables


def test_others_may_read_the_file(tmp_path: Path) -> None:
    save_tensors({"a": torch.ones(3)}, tmp_path / "file")
    assert (tmp_path / "file").stat().st_mode & 0o777 == USUAL_MODE


def test_loading_copies(tmp_path: Path) -> None:
    model = make(1)
    tensors = cloned(make(2))
    load_weights(model, tensors, origin=ORIGIN)
    name = next(iter(tensors))
    tensors[name].fill_(7)
    assert not (weights(model)[name] == 7).any()


def test_what_does_not_fit_is_named_and_changes_nothing() -> None:
    model = make(1)
    before = cloned(model)
    lacking = cloned(make(2))
    lost = lacking.pop("decoder.2.feed_forward.widen.bias")
    with pytest.raises(ModelFolderError, match=r"missing weights decoder\.2.*bias; surplus none"):
        load_weights(model, lacking, origin=ORIGIN)
    surplus = cloned(make(2)) | {"strange": lost}
    with pytest.raises(ModelFolderError, match="missing weights none; surplus strange"):
        load_weights(model, surplus, origin=ORIGIN)
    with pytest.raises(ModelFolderError, match=r"\(41, 22\), but \(37, 22\) is wanted"):
        load_weights(model, cloned(make(2, d_ff=41)), origin=ORIGIN)
    torch.testing.assert_close(weights(model), before, rtol=0, atol=0)


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelFolderError, match=r"file could not be written .*go on with --resume"):
        save_tensors({"a": torch.ones(3)}, tmp_path / "none" / "file")
