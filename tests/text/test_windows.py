from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from heedful.text.windows import LINE, windows

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
    taken = itertools.count()

    def lines() -> Iterator[str]:
        while True:
            next(taken)
            yield "x" * 50_000

    found = windows(lines(), WINDOW)
    for given in range(1, 4):
        assert sum(map(len, next(found))) < 1.1 * WINDOW * LINE
        time.sleep(0.1)  # for reading ahead
        assert next(taken) * 50_000 < (given + 3) * WINDOW * LINE


def test_a_readers_error_comes_after_its_lines() -> None:
    def lines() -> Iterator[str]:
        yield "a"
        raise ZeroDivisionError

    found = windows(lines(), 7)
    assert next(found) == ["a"]
    with pytest.raises(ZeroDivisionError):
        next(found)


def test_a_steady_trickle_is_answered_soon() -> None:
    def trickle() -> Iterator[str]:
        for i in range(40):
            time.sleep(0.01)
            yield str(i)

    started = time.monotonic()
    first = next(windows(trickle(), 1000))
    assert time.monotonic() - started < 0.3
    assert 1 <= len(first) < 40
