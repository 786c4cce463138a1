"""Signals on their way to a member that trains."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from heedful.comparison.member import relayed_signals

WAITS = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.mark.parametrize(
    ("caught", "sent"),
    [
        (signal.SIGINT, signal.SIGINT),
        (signal.SIGTERM, signal.SIGTERM),
        (signal.SIGHUP, signal.SIGTERM),
    ],
)
@pytest.mark.parametrize("early", [True, False])
def test_a_signal_reaches_it_whenever_it_comes(
    caught: signal.Signals, sent: signal.Signals, early: bool
) -> None:
    before = signal.getsignal(caught)
    with (
        relayed_signals() as relay,
        subprocess.Popen(WAITS, stderr=subprocess.DEVNULL, text=True) as process,
    ):
        if early:
            os.kill(os.getpid(), caught)
        relay.to(process)
        if not early:
            os.kill(os.getpid(), caught)
        process.wait(timeout=60)
    assert relay.caught == [caught]
    assert process.returncode == -sent
    assert signal.getsignal(caught) == before
