"""A colour for each head: the same in pictures and page, told apart, readable in light and dark."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from numpy.typing import NDArray

from heedful.page.bundle import page_file
from heedful.see.pictures.style import COLOURS, colour

PAPER = {"HEADS": "#FFFFFF", "IN_THE_DARK": "#181C22"}
HEADS = 16  # of the largest model that the papers have

# Björn Ottosson's OKLab, in which like distances look alike.
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def of_page(name: str) -> list[str]:
    (block,) = re.findall(rf"const {name} = \[(.*?)\];", page_file("colours.js"), re.DOTALL)
    return re.findall(r"#[0-9A-F]{6}", block)


def linear(colour: str) -> NDArray[np.float64]:
    levels = np.array([int(colour[n : n + 2], 16) for n in (1, 3, 5)]) / 255
    return np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)


def apart(one: str, other: str) -> float:
    first, second = (TO_LAB @ np.cbrt(TO_CONES @ linear(colour)) for colour in (one, other))
    return float(np.linalg.norm(first - second))


def contrast(one: str, other: str) -> float:
    """As the accessibility guidelines of the web define it."""
    darker, lighter = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def test_page_and_pictures_agree() -> None:
    assert of_page("HEADS") == list(COLOURS)
    assert [colour(n) for n in range(HEADS)] == of_page("HEADS")


@pytest.mark.parametrize(("name", "least"), [("HEADS", 0.12), ("IN_THE_DARK", 0.09)])
def test_no_two_heads_look_alike(name: str, least: float) -> None:
    found = of_page(name)
    assert len(found) == HEADS
    for one, other in itertools.combinations(found, 2):
        assert apart(one, other) > least, (one, other)


@pytest.mark.parametrize(("name", "least"), [("HEADS", 2.2), ("IN_THE_DARK", 4)])
def test_each_can_be_seen(name: str, least: float) -> None:
    for found in of_page(name):
        assert contrast(found, PAPER[name]) > least, found
