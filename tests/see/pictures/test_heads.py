from __future__ import annotations

from pathlib import Path

from heedful.see.pictures.heads import draw_heads
from heedful.see.pictures.save import save
from heedful.see.recording.record import Record

from ..samples import ENGLISH, FRENCH, attention, svg_texts


def test_heads_have_numbers_and_say_what_their_colour_means(tmp_path: Path) -> None:
    record = Record("s", "t", ENGLISH, FRENCH, (attention(heads=3),))
    texts = svg_texts(save(draw_heads(record, kind="cross"), tmp_path / "h.svg"))
    assert {"head 1", "head 2", "head 3", "layer 2"} <= set(texts)
    assert any("full colour is each map's largest weight" in text for text in texts)
