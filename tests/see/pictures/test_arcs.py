from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from heedful.errors import InputError
from heedful.see.pictures.arcs import draw_arcs
from heedful.see.pictures.fonts import printable
from heedful.see.pictures.save import save
from heedful.see.recording.attention import Attention

from ..samples import ENGLISH, KOREAN, attention, png_size, svg_texts


@pytest.mark.parametrize("head", [2, [1, 3], None])
def test_svg_holds_both_columns(tmp_path: Path, head: int | Sequence[int] | None) -> None:
    words = attention(ENGLISH, ENGLISH, kind="encoder").by_words()
    texts = svg_texts(save(draw_arcs(words, query=1, head=head), tmp_path / "a.svg"))
    for word in words.keys:
        assert texts.count(word) == 2
    shown = [text for text in texts if "head" in text]
    assert (
        shown
        == {
            "2": ["encoder 2, head 2"],
            "[1, 3]": ["■ head 1", "■ head 3"],
            "None": ["■ head 1", "■ head 2", "■ head 3"],
        }[str(head)]
    )


def test_png_and_title(tmp_path: Path) -> None:
    words = attention().by_words()
    width, height = png_size(save(draw_arcs(words, query=0, head=1), tmp_path / "a.png"))
    assert width > 300
    assert height > 200
    assert "so $1" in svg_texts(save(draw_arcs(words, query=0, title="so $1"), tmp_path / "a.svg"))


def test_a_longer_word_makes_a_wider_picture(tmp_path: Path) -> None:
    keys = ("b", "c")
    short = attention(("a", "b"), keys)
    long = attention(("a" * 60, "b"), keys)
    widths = [
        png_size(save(draw_arcs(drawn, query=0, head=1), tmp_path / "a.png"))[0]
        for drawn in (short, long)
    ]
    assert widths[1] > 2 * widths[0]


def test_odd_words_and_no_weight(tmp_path: Path) -> None:
    odd = attention(KOREAN, ("$x$", "🦊", "", "日本"), heads=11)
    texts = svg_texts(save(draw_arcs(odd, query=2), tmp_path / "a.svg"))
    assert {"$x$", printable("🦊"), printable("▁동물")} <= set(texts)
    nothing = Attention("cross", 1, np.zeros((1, 1, 1), np.float32), ("a",), ("b",))
    png_size(save(draw_arcs(nothing, query=0), tmp_path / "b.png"))


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_without_fonts_for_it_the_picture_has_boxes(tmp_path: Path, ending: str) -> None:
    path = save(draw_arcs(attention(KOREAN), query=1, title="한국어"), tmp_path / f"a.{ending}")
    assert path.stat().st_size > 1000
    if ending == "svg":
        assert {"□□□", "▁□□□"} <= set(svg_texts(path))


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="got query 10, wanted 0 to 9"):
        save(draw_arcs(attention(), query=10), tmp_path / "a.png")
    for head in (0, [1, 9], []):
        with pytest.raises(InputError, match="wanted some of 1 to 3"):
            save(draw_arcs(attention(), query=0, head=head), tmp_path / "a.png")
