"""What gradients say where nothing is attended to."""

from __future__ import annotations

import pytest
import torch

from heedful.batches.batch import make_batch
from heedful.errors import HeedfulError
from heedful.models.build import build
from heedful.models.config import RnnConfig
from heedful.models.seq2seq import AnySeq2Seq
from heedful.see.recording.record import Record
from heedful.see.recording.saliency import saliency


def make() -> AnySeq2Seq:
    torch.manual_seed(1)
    config = RnnConfig(d_model=6, n_layers=1, cell="gru", dropout=0.0)
    return build(config, source_vocabulary=13, target_vocabulary=11, max_length=9).eval()


def test_shares_of_each_row() -> None:
    batch = make_batch([[4, 5, 6], [7, 8]], [[4, 5], [6, 7]])
    found = saliency(make(), batch)
    assert found.shape == (2, 3, 4)
    torch.testing.assert_close(found.sum(-1), torch.ones(2, 3))
    assert (found[1, :, 3] == 0).all()


def test_it_is_the_change_of_a_small_step() -> None:
    """e · ∂ log p / ∂e is what scaling e by 1 + ε changes, by ε."""
    model, batch = make(), make_batch([[4, 5, 6]], [[4, 5]])
    found = saliency(model, batch)

    def log_probs(place: int, by: float) -> torch.Tensor:
        def scale(_: object, __: object, vectors: torch.Tensor) -> torch.Tensor:
            scaled = vectors.clone()
            scaled[:, place] *= by
            return scaled

        hook = model.embed_source.register_forward_hook(scale)
        with torch.no_grad():
            memory = model.encode(batch.source, batch.source_mask)
            logits = model.output(model.decode(batch.target_in, memory)).double()
        hook.remove()
        found: torch.Tensor = logits.log_softmax(-1).gather(-1, batch.target_out[..., None])
        return found[0, :, 0]

    step = 1e-2
    changes = torch.stack(
        [(log_probs(j, 1 + step) - log_probs(j, 1 - step)).abs() for j in range(4)], dim=-1
    )
    torch.testing.assert_close(
        found[0].double(), changes / changes.sum(-1, keepdim=True), atol=0.01, rtol=0.05
    )


def test_no_trace_is_left() -> None:
    model, batch = make(), make_batch([[4, 5]], [[4]])
    saliency(model, batch)
    assert not model.embed_source._forward_hooks
    assert all(p.grad is None for p in model.parameters())


def test_a_record_without_attention_says_so() -> None:
    record = Record("a", "b", ("a",), ("b",), ())
    with pytest.raises(HeedfulError, match="the model has no attention"):
        record.get("cross", 1)
