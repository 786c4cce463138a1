"""What this machine grants: threads, and a device."""

from __future__ import annotations

import math
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.errors import RecipeError

if TYPE_CHECKING:
    import torch

_NO_LIMIT = 2**31
MOST_THREADS = 1024
"""Far more than that cannot be started, and the libraries end the process when they fail."""


def granted_cores() -> int:
    """Cores that this process may use: those it is bound to, no more than a container's quota, nor
    than OMP_NUM_THREADS.

    More threads than that fight for the cores, the commonest reason that training crawls.
    """
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(bound or 1, _container_quota(), _asked_of_openmp()))


def _asked_of_openmp() -> int:
    """OMP_NUM_THREADS, of which the first number counts; a huge number if there is none."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) else _NO_LIMIT


def _container_quota(
    root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
) -> int:
    """Whole cores of the least CPU quota of the control groups that this process is in, from its
    own up to the root (version 2, then 1); a huge number if none."""
    try:
        lines = own.read_text().splitlines()
        groups = [Path(line.split(":", 2)[2].strip("/")) for line in lines]
    except (OSError, IndexError):
        groups = []
    inside = {root / place for group in groups for place in (group, *group.parents)} | {root}
    return min(_quota(folder) for folder in inside)


def _quota(folder: Path) -> int:
    try:
        quota, period = (folder / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            quota = (folder / "cpu" / "cpu.cfs_quota_us").read_text()
            period = (folder / "cpu" / "cpu.cfs_period_us").read_text()
        except OSError:
            return _NO_LIMIT
    unlimited = quota.strip() in ("max", "-1")
    return _NO_LIMIT if unlimited else max(1, math.floor(int(quota) / int(period)))


def check_threads(threads: int | None) -> None:
    """A number that makes sense, or none."""
    if threads is None:
        return
    if not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise RecipeError(
            f"threads = {threads!r}: a whole number from 1 to {MOST_THREADS:,} is wanted"
        )


def use_threads(threads: int | None) -> int:
    """Sets torch's threads, those asked for or one a granted core at most; returns how many."""
    import torch

    check_threads(threads)
    own = _own_threads()  # asked even if it is not wanted, before it is changed
    chosen = threads or min(own, granted_cores())
    torch.set_num_threads(chosen)
    return chosen


def worker_threads(n: int, *, threads_each: int) -> ThreadPoolExecutor:
    """n threads, in each of which torch computes with so many of its own; nowhere else is that
    number changed."""
    import torch

    before = torch.get_num_threads()
    all_are_there = threading.Barrier(n + 1)

    def begin() -> None:
        torch.get_num_threads()  # what a thread has not asked for yet, it is given later
        torch.set_num_threads(threads_each)  # for this thread, and for those to come
        all_are_there.wait()

    pool = ThreadPoolExecutor(n, initializer=begin)
    for _ in range(n):
        pool.submit(int)  # starts one more, as long as none is free
    all_are_there.wait()
    torch.set_num_threads(before)
    return pool


@cache
def _own_threads() -> int:
    """torch's own choice, which leaves hyper-threads out and so may be lower than the cores."""
    import torch

    return torch.get_num_threads()


def pick_device(name: str) -> torch.device:
    """`auto` is CUDA, else Apple's MPS, else the CPU; a device that is not there is an error."""
    import torch

    present = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if name == "auto":
        name = next(device for device, there in present.items() if there)
    if name not in present:
        raise RecipeError(f"device {name!r} is not known: take auto, cpu, cuda or mps")
    if not present[name]:
        usable = ", ".join(device for device, there in present.items() if there)
        raise RecipeError(f"device {name!r} is not on this machine; here there is: {usable}")
    return torch.device(name)
