"""Tests that ask Linux about processes."""

from __future__ import annotations

from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="machine: no /proc here")


def state_of(process_id: int) -> str:
    """Return the state of a process as one letter: R runs, S sleeps, Z has ended."""
    stat = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8")
    return stat.rpartition(")")[2].split()[0]
