"""Shares of a batch, by several threads: the very gradients of the whole."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from heedful.batches import Batch, make_batch
from heedful.models.build import build
from heedful.models.config import TransformerConfig
from heedful.models.seq2seq import AnySeq2Seq
from heedful.training.team import FEWEST_TOKENS, Team


def make_model(dropout: float) -> AnySeq2Seq:
    torch.manual_seed(5)
    config = TransformerConfig(
        n_layers=2, d_model=15, d_ff=23, n_heads=3, dropout=dropout, tie="three"
    )
    return build(config, source_vocabulary=31, target_vocabulary=31, max_length=17).train()


def make_team(model: AnySeq2Seq, threads: int) -> Team:
    batch_tokens = threads * FEWEST_TOKENS
    return Team(model, threads=threads, batch_tokens=batch_tokens, smoothing=0.1, bf16=False)


def some_pairs(n: int) -> Batch:
    ids = torch.randint(4, 31, (n, 2, 13), generator=torch.Generator().manual_seed(7)).tolist()
    sources, targets = ([row[side][: 3 + i % 11] for i, row in enumerate(ids)] for side in (0, 1))
    return make_batch(sources, targets)


def gradients(model: AnySeq2Seq, team: Team, batch: Batch) -> tuple[float, list[Tensor]]:
    model.zero_grad()
    plain = team.backward(batch, batch.n_tokens)
    return plain, [p.grad.clone() for p in model.parameters() if p.grad is not None]


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize("n", [1, 2, 19])
def test_shares_add_up_to_the_whole(threads: int, n: int) -> None:
    model, batch = make_model(dropout=0), some_pairs(n)
    plain, expected = gradients(model, make_team(model, 1), batch)
    together, found = gradients(model, make_team(model, threads), batch)
    assert together == pytest.approx(plain, rel=1e-5)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-6)


def test_what_is_dropped_hangs_on_the_seed_alone() -> None:
    model, batch = make_model(dropout=0.3), some_pairs(19)
    team, found = make_team(model, 3), []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        found.append(gradients(model, team, batch))
    assert found[0][0] == found[1][0]
    torch.testing.assert_close(found[0][1], found[1][1], rtol=0, atol=0)
    assert found[0][0] != found[2][0]


def test_no_two_shares_drop_the_same() -> None:
    model = make_model(dropout=0.3)
    twins = make_batch([[5, 6, 7]] * 2, [[8, 9]] * 2)
    one = make_batch([[5, 6, 7]], [[8, 9]])
    torch.manual_seed(3)
    plain = make_team(model, 2).backward(twins, 1)
    torch.manual_seed(3)
    assert plain != pytest.approx(2 * make_team(model, 2).backward(one, 1))


def test_gradients_of_several_batches_are_added() -> None:
    model, batch = make_model(dropout=0), some_pairs(19)
    team = make_team(model, 2)
    _, once = gradients(model, team, batch)
    team.backward(batch, batch.n_tokens)
    twice = [p.grad / 2 for p in model.parameters() if p.grad is not None]
    torch.testing.assert_close(twice, once, rtol=1e-5, atol=1e-7)


def test_a_small_batch_is_not_shared() -> None:
    model = make_model(dropout=0)

    def size(threads: int, batch_tokens: int) -> int:
        return Team(
            model, threads=threads, batch_tokens=batch_tokens, smoothing=0.1, bf16=False
        ).size

    assert size(2, FEWEST_TOKENS) == 1
    assert size(2, 2 * FEWEST_TOKENS) == 2
    assert size(32, 5 * FEWEST_TOKENS) == 4  # with eight threads each: none stands idle
    assert size(15, 8 * FEWEST_TOKENS) == 5
    assert size(7, 3 * FEWEST_TOKENS) == 1
    assert size(2, 1_000_000) == 2


def test_the_callers_own_threads_stay() -> None:
    before = torch.get_num_threads()
    model = make_model(dropout=0)
    make_team(model, 3).backward(some_pairs(19), 1)
    assert torch.get_num_threads() == before
