from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.arcs import draw_arcs
from heedful.see.pictures.curve import draw_curve
from heedful.see.pictures.fonts import printable
from heedful.see.pictures.sheet import _arranged, save_sheet

from ..samples import KOREAN, attention, png_size, svg_texts

METRICS = [{"step": step, "loss": 9 - step} for step in (1, 2, 3)]
LINK = "{http://www.w3.org/1999/xlink}href"


def sheet(path: Path) -> Path:
    """Of two pictures, of nothing but lines and words."""
    odd = attention(("▁url(#x)", '▁id="y"', "</s>"), KOREAN)
    return save_sheet({"arcs": draw_arcs(odd), "curve": draw_curve(METRICS, title="#a")}, path)


def test_nothing_lies_over_anything_else() -> None:
    places, tall = _arranged({"a": 1.0, "b": 0.5, "c": 1.5, "wide": 3.0, "d": 1.0, "wider": 9.0})
    boxes = list(places.values())
    for n, (left, top, width, height) in enumerate(boxes):
        assert top + height <= tall
        for other_left, other_top, other_width, other_height in boxes[:n]:
            apart = (
                left >= other_left + other_width or other_left >= left + width
                or top >= other_top + other_height or other_top >= top + height
            )  # fmt: skip
            assert apart
    assert places["wide"][2] == 2 * places["a"][2]


def test_vectors_stay_vectors(tmp_path: Path) -> None:
    path = sheet(tmp_path / "new folder" / "sheet.svg")
    texts = svg_texts(path)
    korean = printable("▁동물")  # boxes, where no font has it
    assert {"arcs", "curve", korean, "#a", "loss"} <= set(texts)
    assert {"▁url(#x)", '▁id="y"'} <= set(texts)  # words are never taken for names of parts
    assert "<image" not in path.read_text(encoding="utf-8")


def test_every_part_has_a_name_of_its_own(tmp_path: Path) -> None:
    root = ElementTree.parse(sheet(tmp_path / "sheet.svg")).getroot()
    assert root is not None
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    assert len(ids) == len(set(ids))
    asked = [node.attrib[LINK] for node in root.iter() if LINK in node.attrib]
    asked += [node.attrib["clip-path"][4:-1] for node in root.iter() if "clip-path" in node.attrib]
    assert len(asked) > 5
    assert {name.removeprefix("#") for name in asked} <= set(ids)


def test_a_pdf_has_a_page_for_each(tmp_path: Path) -> None:
    content = sheet(tmp_path / "sheet.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") + content.count(b"/Type /Page ") == 2
    assert b"/Subtype /Image" not in content


def test_pixels(tmp_path: Path) -> None:
    assert png_size(sheet(tmp_path / "sheet.png"))[0] > 2000


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_pictures_give_the_same_file(tmp_path: Path, ending: str) -> None:
    first, second = (
        save_sheet({"map": draw_alignment(attention())}, tmp_path / f"{n}.{ending}") for n in "ab"
    )
    assert first.read_bytes() == second.read_bytes()
