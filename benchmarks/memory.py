"""What processes have of the machine's memory, as Linux tells it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

EVERY = 0.5  # seconds between two looks


def resident(process: int) -> float:
    """MiB of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
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

    @contextmanager
    def watched(self) -> Iterator[dict[str, list[float]]]:
        """What each has meanwhile, looked at again and again. One look would tell what happened to
        be under way."""
        seen: dict[str, list[float]] = {name: [] for name in self._processes}
        is_over = threading.Event()

        def look() -> None:
            while not is_over.wait(EVERY):
                for name, mebibytes in self.now().items():
                    seen[name].append(mebibytes)

        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield seen
        finally:
            is_over.set()
            looking.join()


def usual(seen: dict[str, list[float]]) -> dict[str, float]:
    """The median of each."""
    return {name: median(mebibytes) for name, mebibytes in seen.items()}
