from __future__ import annotations

from pathlib import Path

import pytest

from heedful.errors import InputError
from heedful.see.pictures.save import save
from heedful.see.pictures.search import _LONGEST, _places, draw_search
from heedful.see.recording.record import Fate, Node

from ..samples import svg_texts


def chain(n: int) -> list[Node]:
    """A search that goes straight on, with one other at each step."""
    nodes: list[Node] = []
    parent = None
    for step in range(1, n + 1):
        fate: Fate = "ends" if step == n else "goes on"
        nodes.append(Node(parent, step, f"p{step}", 0.9, -0.1 * step, fate, chosen=True))
        nodes.append(Node(parent, step, f"q{step}", 0.05, -3.0, "given up", chosen=False))
        parent = len(nodes) - 2
    return nodes


def test_every_piece_and_its_probability(tmp_path: Path) -> None:
    texts = svg_texts(save(draw_search(chain(3), title="all of it"), tmp_path / "s.svg"))
    assert {"p1", "q1", "p2", "q2", "p3 ■", "q3", "all of it"} <= set(texts)
    assert texts.count("90 %") == 3
    assert texts.count("5 %") == 3


def test_what_was_tried_was_not_impossible(tmp_path: Path) -> None:
    nodes = [Node(None, 1, "a", chance, -1.0, "ends", chosen=False) for chance in (0.001, 0.007)]
    texts = svg_texts(save(draw_search(nodes), tmp_path / "s.svg"))
    assert {"< 1 %", "1 %"} <= set(texts)


def test_a_long_one_goes_on_below() -> None:
    nodes = chain(_LONGEST + 2)
    places, width, _ = _places(nodes, 1.0)
    assert len(set(places)) == len(nodes)
    assert max(x for x, _ in places) < width
    first, wrapped = places[0], places[2 * _LONGEST]
    assert wrapped[0] == first[0]
    assert wrapped[1] > places[1][1]


def test_without_a_search(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leave the target out"):
        save(draw_search([]), tmp_path / "s.svg")
