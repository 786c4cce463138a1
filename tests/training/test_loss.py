from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F

from heedful.training.loss import CHUNK, smoothed_loss


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.37])
@pytest.mark.parametrize("rows", [1, CHUNK // 7 + 3, CHUNK // 7 * 3 + 5])
def test_equals_torchs_over_real_tokens(smoothing: float, rows: int) -> None:
    torch.manual_seed(1)
    hidden = torch.randn(rows, 7, 13, requires_grad=True)
    table = torch.randn(31, 13, requires_grad=True)
    target = torch.randint(1, 31, (rows, 7))
    target[:, 5:] = 0
    target[0, 2] = 0
    loss, plain = smoothed_loss(hidden, table, target, smoothing=smoothing, padding=0)
    torch.autograd.backward(loss * 3)
    mine = [hidden.grad, table.grad]
    hidden.grad = table.grad = None
    logits = (hidden @ table.T).flatten(0, 1)
    reference = F.cross_entropy(
        logits, target.flatten(), ignore_index=0, label_smoothing=smoothing, reduction="sum"
    )
    torch.autograd.backward(reference * 3)
    torch.testing.assert_close(loss, reference, rtol=1e-5, atol=1e-3)
    torch.testing.assert_close(mine, [hidden.grad, table.grad], rtol=1e-4, atol=1e-4)
    unsmoothed = F.cross_entropy(logits, target.flatten(), ignore_index=0, reduction="sum")
    torch.testing.assert_close(plain, unsmoothed.detach(), rtol=1e-5, atol=1e-3)


def test_the_formula_by_hand() -> None:
    """Two words, logits 0 and ln 3: p = 1/4, 3/4; q = (1 - ε) [target] + ε / 2."""
    hidden, table = torch.tensor([[[1.0]]]), torch.tensor([[0.0], [math.log(3)]])
    loss, plain = smoothed_loss(hidden, table, torch.tensor([[1]]), smoothing=0.2, padding=0)
    assert float(loss) == pytest.approx(-(0.1 * math.log(1 / 4) + 0.9 * math.log(3 / 4)))
    assert float(plain) == pytest.approx(-math.log(3 / 4))


def test_padding_gets_no_gradient() -> None:
    hidden = torch.randn(2, 3, 5, requires_grad=True)
    target = torch.tensor([[4, 0, 0], [2, 3, 0]])
    loss, _ = smoothed_loss(hidden, torch.randn(7, 5), target, smoothing=0.1, padding=0)
    torch.autograd.backward(loss)
    assert hidden.grad is not None
    assert (hidden.grad[target == 0] == 0).all()
    assert (hidden.grad[target != 0] != 0).any(-1).all()


def test_a_tiny_probability_has_its_exact_loss() -> None:
    """The best logit is 5,000; those of the targets lie 500, 100, 40 and 5,000 below it."""
    hidden = torch.tensor([[[1.0], [1.0], [1.0], [1.0]]], requires_grad=True)
    table = torch.tensor([[5000.0], [4500.0], [4900.0], [4960.0], [0.0]], requires_grad=True)
    target = torch.tensor([[1, 2, 3, 4]])
    loss, plain = smoothed_loss(hidden, table, target, smoothing=0.1, padding=-1)
    logits = (hidden.double() @ table.double().T)[0]
    assert plain.item() == pytest.approx(500 + 100 + 40 + 5000, rel=1e-6)
    exact = F.cross_entropy(logits, target[0], label_smoothing=0.1, reduction="sum")
    assert loss.item() == pytest.approx(exact.item(), rel=1e-6)
    mine = torch.autograd.grad(loss, (hidden, table))
    torch.testing.assert_close(mine, torch.autograd.grad(exact, (hidden, table)))


def test_each_token_of_many_is_exact() -> None:
    """Logits with a spread of 100: many targets are less probable than 32 bits can represent."""
    torch.manual_seed(1)
    hidden, table = torch.randn(1, CHUNK + 19, 11) * 10, torch.randn(37, 11) * 3
    target = torch.randint(0, 37, (1, CHUNK + 19))
    _, plain = smoothed_loss(hidden, table, target, smoothing=0.0, padding=-1)
    logits = hidden[0].double() @ table.double().T
    reference = F.cross_entropy(logits, target[0], reduction="none")
    assert (reference > 90).sum() > 50
    assert plain.item() == pytest.approx(reference.sum().item(), rel=1e-6)


def test_a_second_backward_is_refused() -> None:
    hidden = torch.randn(2, 3, 5, requires_grad=True)
    target = torch.randint(1, 7, (2, 3))
    loss, _ = smoothed_loss(hidden, torch.randn(7, 5), target, smoothing=0.1, padding=0)
    torch.autograd.backward(loss, retain_graph=True)
    with pytest.raises(RuntimeError, match="second backward through smoothed_loss"):
        torch.autograd.backward(loss)
