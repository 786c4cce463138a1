from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest

from heedful.text.windows import LINE, windows

from ..waiting import wait_until

WINDOW = 2048


def test_a_window_is_at_most_so_many_lines() -> None:
    taken = itertools.count()

    def lines() -> Iterator[str]:
        for i in range(10 * WINDOW):
            next(taken)
            yield str(i)

    sizes, seen = [], []
    for window in windows(lines(), WINDOW):
        sizes.append(len(window))
        seen += window
        assert next(taken) < len(seen) + 3 * WINDOW + 10 * len(sizes)  # no reading far ahead
    assert seen == [str(i) for i in range(10 * WINDOW)]
    assert max(sizes) <= WINDOW


def test_one_line_is_handed_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sent it may wait for its answer before sending another."""
    monkeypatch.setattr("heedful.text.windows.PATIENCE", 1e9)
    answered = threading.Event()

    def lines() -> Iterator[str]:
        yield "a"
        assert answered.wait(60)
        yield "b"

    found = windows(lines(), WINDOW)
    assert next(found) == ["a"]
    answered.set()
    assert list(found) == [["b"]]


def test_long_lines_fill_a_window_sooner() -> None:
    """An endless pipe of them would never be answered, and fill the memory."""
    taken = delivered = 0
    most_ahead = 0.0  # windows that were read, and not delivered yet

    def lines() -> Iterator[str]:
        nonlocal taken, most_ahead
        while True:
            taken += 1
            most_ahead = max(most_ahead, taken * 50_000 / (WINDOW * LINE) - delivered)
            yield "x" * 50_000

    def has_read_ahead() -> bool:
        return taken * 50_000 > (delivered + 1.9) * WINDOW * LINE

    found = windows(lines(), WINDOW)
    for _ in range(3):
        assert sum(map(len, next(found))) < 1.1 * WINDOW * LINE
        delivered += 1
        wait_until(has_read_ahead)
    assert most_ahead < 3.5  # one being filled, two in the queue


def test_a_readers_error_comes_after_its_lines() -> None:
    def lines() -> Iterator[str]:
        yield "a"
        raise ZeroDivisionError

    found = windows(lines(), 7)
    assert next(found) == ["a"]
    with pytest.raises(ZeroDivisionError):
        next(found)


def test_a_steady_trickle_is_answered_soon() -> None:
    """A window that waited anew for each line would hold them all."""
    is_over = threading.Event()

    def trickle() -> Iterator[str]:
        for i in range(1000):
            if is_over.wait(0.01):
                return
            yield str(i)

    first = next(windows(trickle(), 10_000))
    is_over.set()
    assert 1 <= len(first) < 1000
