"""What Table 1 says of paths, found from the layers themselves; exponents of known curves."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from heedful.attention import Reach, attend_unseen
from heedful.attention.near import attend_near
from heedful.comparison.compared_layers import LAYERS, Bare, Projected, Read
from heedful.comparison.connectivity import (
    dependence,
    dilated_path,
    recurrent_path,
    stacked_path,
    steps_in_a_row,
)
from heedful.comparison.table_one import doubling, exponent, peak_bytes, run_layers
from heedful.errors import InputError
from heedful.layers import GatedConvolution, Recurrent


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0])
def test_an_exponent_is_found_beneath_a_fixed_cost(power: float) -> None:
    """A call costs as much as the work on 200 positions: the shorter half would spoil the fit."""
    points = [(float(n), 1e-9 * (n**power + 200**power)) for n in doubling(64, 4096)]
    assert exponent(points) == pytest.approx(power, abs=0.15)
    xs, ys = (np.log(values) for values in zip(*points, strict=True))
    assert np.polyfit(xs, ys, 1)[0] < power - 0.3


def test_an_exponent_of_a_plain_power() -> None:
    assert exponent([(n, 3e-9 * n**1.7) for n in (64, 128, 256, 512)]) == pytest.approx(1.7)


def test_doubling() -> None:
    assert doubling(64, 512) == [64, 128, 256, 512]
    assert doubling(64, 100) == [64]


def test_attention_sees_all_at_once() -> None:
    assert stacked_path(Bare(lambda x: attend_unseen(x, x, x)), 64, 8) == 1
    assert stacked_path(Projected(8, None), 64, 8) == 1


def test_restricted_attention_goes_half_a_window_at_a_time() -> None:
    near = Bare(lambda x: attend_near(x, x, x, Reach(4, 4)))
    assert stacked_path(near, 65, 8) == 64 // 4


def test_a_convolution_goes_half_its_width_at_a_time() -> None:
    convolution = GatedConvolution(d_model=4, width=5, dropout=0.0, causal=False)
    assert stacked_path(convolution, 41, 4) == 40 // 2


def test_a_recurrence_takes_a_step_for_each_position() -> None:
    expected = torch.ones(9, 9, dtype=torch.bool).tril()
    assert torch.equal(dependence(Read(4), 9, 4), expected)
    assert recurrent_path(Read(4), 9, 4) == 9
    assert steps_in_a_row(Read(4), 9, 4) == 9


class Forgetful(Recurrent):
    """A cell that begins anew at every word."""

    def step(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        return super().step(x, torch.zeros_like(state))


def test_steps_that_need_no_state_may_be_taken_at_once() -> None:
    layer = Read(4)
    layer.recurrent = Forgetful("rnn", d_input=4, d_hidden=4, n_layers=1, dropout=0.0)
    assert steps_in_a_row(layer, 9, 4) == 1
    with pytest.raises(ValueError, match="no number of such steps"):
        recurrent_path(layer, 9, 4)


def test_what_never_looks_ahead_has_no_path() -> None:
    with pytest.raises(ValueError, match="no number of such steps"):
        stacked_path(torch.nn.Linear(4, 4), 5, 4)


@pytest.mark.parametrize(
    ("n", "layers"), [(3, 1), (4, 2), (9, 2), (10, 3), (64, 4), (100, 5), (243, 5), (244, 6)]
)
def test_a_dilated_path_grows_as_a_logarithm(n: int, layers: int) -> None:
    """Layers reach 2, 2 + 6, 2 + 6 + 18, … = 3^L - 1 positions back."""
    convolution = GatedConvolution(d_model=4, width=3, dropout=0.0, causal=True)
    assert dilated_path(convolution, n, 4) == layers


def test_the_most_memory_at_a_time() -> None:
    def work() -> None:
        a = torch.empty(1000, 256)  # 1,024,000 bytes
        b = torch.empty(1000, 256)
        del a
        c = torch.empty(500, 256)
        del b, c

    assert peak_bytes(work) == pytest.approx(2 * 1_024_000, rel=0.01)


def forward_and_back(layer: torch.nn.Module, x: torch.Tensor) -> None:
    torch.autograd.backward(layer(x).sum())


def test_weights_that_are_kept_cost_a_square_and_neighbours_a_line() -> None:
    """The memory of a longer sentence: four times as much for twice the length, or twice."""
    bytes_of = {}
    for layer in (LAYERS[0], LAYERS[3]):
        for n in (1024, 2048):
            x = torch.randn(1, n, 16, requires_grad=True)
            made = layer.make(16)
            bytes_of[layer.name, n] = peak_bytes(partial(forward_and_back, made, x))
    kept, near = LAYERS[0].name, LAYERS[3].name
    assert bytes_of[kept, 2048] / bytes_of[kept, 1024] > 3.5
    assert bytes_of[near, 2048] / bytes_of[near, 1024] < 2.3


def test_a_whole_report(tmp_path: Path) -> None:
    report = run_layers(tmp_path / "x", longest=256, widest=256).read_text(encoding="utf-8")
    assert report.count("\n| ") == 2 + len(LAYERS)
    assert (tmp_path / "x" / "layers.png").stat().st_size > 10_000
    figures = json.loads((tmp_path / "x" / "layers.json").read_text(encoding="utf-8"))
    assert [point["window"] for point in figures["restricted_by_window"]] == [32, 64]
    assert "over 256 positions grows with its window, from r = 32 to 64, as r^" in report
    assert "Weights that are kept are 1 MiB for 256 positions" in report
    found = figures["layers"]
    for m in found:
        first, last = m["by_width"][-2:]  # the larger half of three are two
        doubled = math.log2(last["bytes"] / first["bytes"])
        assert m["memory_exponent_d"] == pytest.approx(doubled), m["name"]
        assert f"d^{m['memory_exponent_d']:.2f} |" in report
    assert [m["path"] for m in found] == [1, 1, 1, 8, 8, 256, 128]
    assert found[-1]["dilated_path"] == 6
    assert len({m["name"] for m in found}) == len(LAYERS)
    assert [m["sequential_operations"] for m in found] == [1, 1, 1, 1, 1, 256, 1]


@pytest.mark.parametrize(("place", "by_n", "by_d"), [(0, 2, 1), (3, 1, 1), (5, 1, 2), (6, 1, 2)])
def test_multiplications_have_the_papers_powers(place: int, by_n: int, by_d: int) -> None:
    """Counted, not timed: n²·d, r·n·d, n·d², k·n·d²."""

    def counted(n: int, d: int) -> int:
        layer, x = LAYERS[place].make(d), torch.randn(1, n, d, requires_grad=True)
        with FlopCounterMode(display=False) as counter:
            forward_and_back(layer, x)
        return int(counter.get_total_flops())

    assert counted(512, 64) / counted(256, 64) == pytest.approx(2**by_n, rel=0.02)
    assert counted(256, 128) / counted(256, 64) == pytest.approx(2**by_d, rel=0.02)


def test_too_few_sizes_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least 256 and 256"):
        run_layers(tmp_path / "x", longest=128, widest=1024)
