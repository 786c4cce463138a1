from __future__ import annotations

import pytest

from heedful.training.schedule import Schedule, paper_rate


@pytest.mark.parametrize("step", [1, 10, 399, 400, 401, 100_000])
def test_paper_rate_is_equation_three(step: int) -> None:
    expected = 512**-0.5 * min(step**-0.5, step * 400**-1.5)
    assert paper_rate(step, d_model=512, warmup=400) == pytest.approx(expected)


@pytest.mark.parametrize("step", [1, 399, 400, 5000])
def test_the_peak_of_the_paper_gives_the_papers_rate(step: int) -> None:
    peak = (512 * 400) ** -0.5
    expected = paper_rate(step, d_model=512, warmup=400)
    assert Schedule("inverse_sqrt", peak, 400).rate(step, 0.0) == pytest.approx(expected)


def test_linear_rises_and_falls_to_nothing() -> None:
    rate = Schedule("linear", peak=0.5, warmup=10).rate
    assert rate(5, 0.01) == pytest.approx(0.25)
    assert rate(50, 0.5) == pytest.approx(0.25)
    assert rate(99, 1.0) == 0
