"""Whose threads go first."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from heedful.serve.giving_way import NICENESS, giving_way


def _niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(
    sys.platform != "linux", reason="machine: elsewhere processes have one, not threads"
)
def test_threads_that_are_made_give_way_and_ours_do_not() -> None:
    usual, seen = _niceness(), []

    def make() -> threading.Thread:
        made = threading.Thread(target=lambda: seen.append(_niceness()))
        made.start()
        return made

    giving_way(make).join()
    assert seen == [min(19, usual + NICENESS)]
    assert _niceness() == usual


def test_what_goes_wrong_is_told() -> None:
    with pytest.raises(ZeroDivisionError):
        giving_way(lambda: 1 // 0)
