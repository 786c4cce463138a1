"""The drawing functions, as users call them; tests/see/pictures are of what they draw."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from matplotlib.figure import Figure

from heedful import Record, draw
from heedful.errors import HeedfulError, InputError
from heedful.see.names import Picture
from heedful.seeing.catalogue import PICTURES
from heedful.translator import Translator

from .see.samples import png_size, svg_texts

SENTENCE = "The cat sees the dog here."


@pytest.fixture(scope="module")
def record(prose: Translator) -> Record:
    return prose.attend(SENTENCE, vectors="all")


def texts(figure: Figure, tmp_path: Path) -> list[str]:
    return svg_texts(draw.save(figure, tmp_path / "picture.svg"))


def test_every_picture_of_the_command_has_its_function() -> None:
    assert tuple(PICTURES) == get_args(Picture)
    assert set(draw.__all__) == {*PICTURES, "save", "save_sheet"}
    for name, function in PICTURES.items():
        assert function is getattr(draw, name)
        assert inspect.getdoc(function)


@pytest.mark.parametrize(
    "function", [draw.alignment, draw.arcs, draw.heads, draw.step, draw.masks, draw.search]
)
def test_a_record_alone_can_be_drawn(
    function: Callable[..., Figure], record: Record, tmp_path: Path
) -> None:
    assert texts(function(Record.from_json(record.to_json())), tmp_path)


def test_more_than_a_record_can_be_drawn(
    record: Record, prose: Translator, prose_run: Path, tmp_path: Path
) -> None:
    assert any(text.startswith("encoder 1") for text in texts(
        draw.projections(record, prose), tmp_path))  # fmt: skip
    assert any(text.startswith("sinusoids") for text in texts(draw.positions(prose), tmp_path))
    for run in (prose_run, str(prose_run)):
        assert prose_run.name in texts(draw.curve(run), tmp_path)
    assert "d_k" in texts(draw.scaling(), tmp_path)


@pytest.mark.parametrize(
    ("chosen", "title"),
    [
        ({}, "cross 1, mean of 2 heads"),
        ({"kind": "encoder"}, "encoder 1, mean of 2 heads"),
        ({"kind": "decoder", "layer": 1, "head": 2}, "decoder 1, head 2"),
        ({"head": (1, 2)}, "cross 1, mean of 2 heads"),
    ],
)
def test_an_attention_is_chosen_by_kind_layer_and_head(
    record: Record, tmp_path: Path, chosen: dict[str, Any], title: str
) -> None:
    found = texts(draw.alignment(record, **chosen), tmp_path)
    assert any(text.startswith(title) for text in found)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda r: draw.alignment(r, layer=9), "no attention cross 9 in this record"),
        (lambda r: draw.arcs(r, head=3), r"got heads \[3\], wanted some of 1 to 2"),
        (lambda r: draw.arcs(r, word="zebra"), "'zebra' does not look in cross 1; these do"),
        (lambda r: draw.curve("nowhere"), "nowhere has no metrics.jsonl"),
    ],
)
def test_what_cannot_be_drawn(record: Record, ask: Callable[[Record], Figure], told: str) -> None:
    with pytest.raises(HeedfulError, match=told):
        ask(record)


def test_the_arithmetic_wants_recorded_vectors(prose: Translator) -> None:
    with pytest.raises(InputError, match=r"ask for them with attend\(…, vectors="):
        draw.step(prose.attend(SENTENCE))


def test_several_on_one_sheet(record: Record, tmp_path: Path) -> None:
    figures = {"alignment": draw.alignment(record), "arcs": draw.arcs(record)}
    width, height = png_size(draw.save_sheet(figures, tmp_path / "sheet.png"))
    assert width > height > 100
