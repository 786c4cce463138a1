from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from heedful.see.pictures.curve import draw_curve
from heedful.see.pictures.fonts import printable
from heedful.see.pictures.save import save

from ..samples import png_size, svg_texts


def _train(step: int) -> dict[str, Any]:
    return {
        "step": step,
        "seconds": step * 0.3,
        "epoch": step / 100,
        "loss": 7 / step,
        "rate": 1e-3 / step,
        "tokens_per_second": 1e4,
    }


def _valid(step: int, bleu: float | None) -> dict[str, Any]:
    return {"step": step, "seconds": 1.0, "epoch": 1, "valid_loss": 8 / step, "bleu": bleu}


RUN = [*map(_train, range(10, 2000, 10)), _valid(700, 11.5), _valid(1400, 23.4), _valid(1900, 21.0)]


def test_three_panels(tmp_path: Path) -> None:
    texts = svg_texts(save(draw_curve(RUN, title="runs/en-de 변환기"), tmp_path / "a.svg"))
    wanted = {"loss", "training", "validation", "BLEU", "best 23.4", "learning rate", "step"}
    assert wanted <= set(texts)
    assert printable("runs/en-de 변환기") in texts
    assert "1.5k" in texts
    assert png_size(save(draw_curve(RUN), tmp_path / "a.png"))[0] > 800


@pytest.mark.parametrize(
    ("metrics", "present", "absent"),
    [
        ([], {"no measurements yet"}, {"loss", "BLEU"}),
        ([{"step": 1}], {"no measurements yet"}, {"loss"}),
        ([_train(10)], {"loss", "learning rate"}, {"BLEU", "validation"}),
        ([_valid(10, None)], {"loss"}, {"BLEU", "learning rate"}),
        ([_valid(10, 3.0)], {"loss", "BLEU", "best 3.0"}, {"learning rate"}),
        ([_valid(10, math.nan), _train(10)], {"loss", "validation"}, {"BLEU"}),
    ],
)
def test_what_is_lacking_is_left_out(
    tmp_path: Path, metrics: list[dict[str, Any]], present: set[str], absent: set[str]
) -> None:
    texts = set(svg_texts(save(draw_curve(metrics), tmp_path / "a.svg")))
    assert present <= texts
    assert not absent & texts
    png_size(save(draw_curve(metrics, title="t"), tmp_path / "a.png"))
