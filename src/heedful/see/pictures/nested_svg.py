"""Drawings as SVG, each put at its place in another one: lines stay lines, and words stay words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.style import QUIET

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_INCH = 72.0  # points, as matplotlib counts


@dataclass(frozen=True)
class Drawing:
    """One that matplotlib wrote."""

    root: Element
    width: float
    """In points."""
    height: float

    @classmethod
    def read(cls, content: BytesIO) -> Drawing:
        """Its size is that of its view box."""
        root = ElementTree.parse(content).getroot()
        assert root is not None
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        return cls(root, width, height)

    @property
    def shape(self) -> float:
        """How many times as wide as high."""
        return self.width / self.height


def nested(
    drawings: Mapping[str, Drawing],
    places: Mapping[str, tuple[float, float, float, float]],
    size: tuple[float, float],
) -> bytes:
    """Left, top, width and height of each in inches, below its name; `size` is the sheet's."""
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    width, height = (_INCH * side for side in size)
    sheet = ElementTree.Element(
        f"{{{_SVG}}}svg", width=f"{width:g}pt", height=f"{height:g}pt",
        viewBox=f"0 0 {width:g} {height:g}", version="1.1",
    )  # fmt: skip
    _put(sheet, "rect", (0, 0, width, height), fill="white")
    for n, (name, drawing) in enumerate(drawings.items()):
        left, top, wide, tall = (_INCH * side for side in places[name])
        heading = _put(sheet, "text", (left + 11, top - 11), fill=QUIET,
                       style=f"font: 11px '{BASE}', sans-serif")  # fmt: skip
        heading.text = name
        view = f"0 0 {drawing.width:g} {drawing.height:g}"
        inside = _put(sheet, "svg", (left, top, wide, tall), viewBox=view)
        _rename(drawing.root, f"p{n}-")
        inside.extend(part for part in drawing.root if part.tag != f"{{{_SVG}}}metadata")
    content: bytes = ElementTree.tostring(sheet, encoding="utf-8", xml_declaration=True)
    return content


def _put(parent: Element, name: str, place: Iterable[float], **attributes: str) -> Element:
    where = {side: f"{n:g}" for side, n in zip(("x", "y", "width", "height"), place, strict=False)}
    return ElementTree.SubElement(parent, f"{{{_SVG}}}{name}", where | attributes)


def _rename(root: Element, prefix: str) -> None:
    """Every drawing counts its parts from one: here each part has a name of its own."""
    for node in root.iter():
        for key, value in node.attrib.items():
            if key == "id":
                node.set(key, prefix + value)
            elif key == f"{{{_XLINK}}}href" and value.startswith("#"):
                node.set(key, f"#{prefix}{value[1:]}")
            elif "url(#" in value:
                node.set(key, value.replace("url(#", f"url(#{prefix}"))
