"""Translated files until they are fetched."""

from __future__ import annotations

from heedful.serve.shelf import KEPT, Shelf


def test_files_are_kept_for_a_while() -> None:
    now = 0.0
    shelf = Shelf(room=100, clock=lambda: now)
    name = shelf.put(b"x", "txt")
    assert name.endswith(".txt")
    assert shelf.get(name) == b"x"
    assert shelf.get("../" + name) is None
    now = KEPT + 1
    assert shelf.get(name) is None


def test_the_oldest_make_room() -> None:
    shelf = Shelf(room=10, clock=lambda: 0.0)
    first, second = shelf.put(b"12345", "a"), shelf.put(b"12345", "a")
    third = shelf.put(b"123", "a")
    assert [shelf.get(name) for name in (first, second, third)] == [None, b"12345", b"123"]
