from __future__ import annotations

from heedful.see.pictures.sheet import _arranged


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
