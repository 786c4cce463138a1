from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heedful.errors import InputError
from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.fonts import printable
from heedful.see.pictures.save import save
from heedful.see.recording.attention import Attention

from ..samples import KOREAN, attention, png_size, svg_texts


def test_png(tmp_path: Path) -> None:
    path = save(draw_alignment(attention().by_words(), head=2), tmp_path / "a.png")
    width, height = png_size(path)
    assert width > 200
    assert height > 200


def test_svg_holds_the_words_and_says_what_it_shows(tmp_path: Path) -> None:
    words = attention().by_words()
    texts = svg_texts(save(draw_alignment(words), tmp_path / "a.svg"))
    assert set(words.queries) | set(words.keys) <= set(texts)
    assert "cross 2, mean of 3 heads" in texts
    assert "cross 2, head 3" in svg_texts(save(draw_alignment(words, head=3), tmp_path / "b.svg"))


def test_odd_words_and_title(tmp_path: Path) -> None:
    odd = attention(KOREAN, ("$x$", "$", "_^{", "🦊", "", "日本"))
    texts = svg_texts(save(draw_alignment(odd, title="한국어 $5 & <b>"), tmp_path / "a.svg"))
    assert {"$x$", "$", "_^{", printable("🦊"), printable("▁동물")} <= set(texts)
    assert printable("한국어 $5 & <b>") in texts


@pytest.mark.parametrize("size", [(1, 1), (1, 90), (7, 2)])
def test_all_sizes(tmp_path: Path, size: tuple[int, int]) -> None:
    n_queries, n_keys = size
    weights = np.zeros((2, n_queries, n_keys), np.float32)
    drawn = Attention("encoder", 1, weights, ("a",) * n_queries, ("b",) * n_keys)
    png_size(save(draw_alignment(drawn), tmp_path / "a.png"))


def test_refusals(tmp_path: Path) -> None:
    for head in (0, 4):
        with pytest.raises(InputError, match=rf"got heads \[{head}\], wanted some of 1 to 3"):
            save(draw_alignment(attention(), head=head), tmp_path / "a.png")
    with pytest.raises(InputError, match="got 0 queries and 0 keys"):
        save(draw_alignment(attention((), ())), tmp_path / "a.png")
    with pytest.raises(InputError, match=r"a\.gif"):
        save(draw_alignment(attention()), tmp_path / "a.gif")
    assert not list(tmp_path.iterdir())
