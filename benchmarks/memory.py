"""What processes have of the machine's memory, as Linux tells it."""

from __future__ import annotations

import re
from pathlib import Path


def resident(process: int, which: str = "VmRSS") -> float:
    """MiB of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(rf"{which}:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) / 1024


def growth(before: float, after: float) -> float:
    """In percent."""
    return 100 * (after / before - 1)


class Memory:
    """Of a server and its worker, in MiB. A worker that has been replaced meanwhile is missed."""

    def __init__(self, server: int) -> None:
        (worker,) = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        self._processes = {"server": server, "worker": int(worker)}

    def now(self) -> dict[str, float]:
        """What each has."""
        return {name: resident(process) for name, process in self._processes.items()}

    def forget_most(self) -> None:
        """The most that each had is counted from now on."""
        for process in self._processes.values():
            Path(f"/proc/{process}/clear_refs").write_text("5")

    def most(self) -> dict[str, float]:
        """Since then."""
        return {name: resident(process, "VmHWM") for name, process in self._processes.items()}
