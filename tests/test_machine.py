"""Threads and devices."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch

from heedful import machine
from heedful.errors import RecipeError
from heedful.machine import (
    _container_quota,
    granted_cores,
    pick_device,
    use_threads,
    worker_threads,
)


@pytest.mark.parametrize(
    ("line", "cores"),
    [("250000 100000\n", 2), ("50000 100000\n", 1), ("400000 50000", 8), ("max 100000\n", 2**31)],
)
def test_a_quota_of_version_two(tmp_path: Path, line: str, cores: int) -> None:
    (tmp_path / "cpu.max").write_text(line)
    assert _container_quota(tmp_path, tmp_path / "none") == cores


@pytest.mark.parametrize(
    ("quota", "cores"), [("300000\n", 3), ("399999\n", 3), ("1000\n", 1), ("-1\n", 2**31)]
)
def test_a_quota_of_version_one(tmp_path: Path, quota: str, cores: int) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert _container_quota(tmp_path, tmp_path / "none") == cores


def test_no_quota(tmp_path: Path) -> None:
    assert _container_quota(tmp_path, tmp_path / "none") == 2**31
    (tmp_path / "cpu.max").write_text("")
    assert _container_quota(tmp_path, tmp_path / "none") == 2**31


def test_the_least_quota_of_all_groups_counts(tmp_path: Path) -> None:
    own = tmp_path / "cgroup"
    own.write_text("0::/outer/inner/leaf\n")
    leaf = tmp_path / "outer" / "inner" / "leaf"
    leaf.mkdir(parents=True)
    for folder, quota, cores in ((leaf, 700, 7), (leaf.parent, 300, 3), (tmp_path, 500, 3)):
        (folder / "cpu.max").write_text(f"{quota} 100\n")
        assert _container_quota(tmp_path, own) == cores


@pytest.mark.parametrize(("asked", "cores"), [("3", 3), ("4,2", 4), ("64", 6), ("", 6), ("0", 6)])
def test_openmp_s_threads_bind_all(monkeypatch: pytest.MonkeyPatch, asked: str, cores: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(6)), raising=False)
    monkeypatch.setattr(machine, "_container_quota", lambda: 9)
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert granted_cores() == cores


@pytest.mark.usefixtures("_threads_as_before")
def test_workers_have_threads_of_their_own() -> None:
    def n_threads() -> int:
        (torch.ones(9) + 1).sum()  # torch asks for its threads at its first work
        return torch.get_num_threads()

    torch.set_num_threads(3)
    with worker_threads(4, threads_each=2) as pool:
        assert [pool.submit(n_threads).result() for _ in range(4)] == [2] * 4
    assert torch.get_num_threads() == 3
    with ThreadPoolExecutor(1) as others:
        assert others.submit(n_threads).result() == 3


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="machine: no affinity here")
def test_cores_are_the_least_of_binding_and_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(6)))
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    for quota, cores in ((2**31, 6), (4, 4), (9, 6)):
        monkeypatch.setattr(machine, "_container_quota", lambda quota=quota: quota)
        assert granted_cores() == cores


@pytest.fixture
def _threads_as_before() -> Iterator[None]:
    before = torch.get_num_threads()
    machine._own_threads.cache_clear()
    yield
    torch.set_num_threads(before)
    machine._own_threads.cache_clear()


@pytest.mark.usefixtures("_threads_as_before")
def test_threads_are_those_asked_for_or_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(4)  # as if torch had chosen it
    for threads in (3, 1, 6):
        assert use_threads(threads) == torch.get_num_threads() == threads
    for cores, threads in ((2, 2), (64, 4)):  # torch's own choice, whatever was asked for before
        monkeypatch.setattr(machine, "granted_cores", lambda cores=cores: cores)
        assert use_threads(None) == torch.get_num_threads() == threads


@pytest.mark.parametrize("threads", [0, -1, 1025, 100_000, "2"])
def test_threads_that_make_no_sense(threads: Any) -> None:
    with pytest.raises(RecipeError, match="a whole number from 1 to 1,024 is wanted"):
        use_threads(threads)


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pick_device("cpu") == torch.device("cpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert pick_device("auto") == torch.device("cpu")
    with pytest.raises(RecipeError, match=r"'cuda' is not on this machine; here there is: cpu$"):
        pick_device("cuda")
    with pytest.raises(RecipeError, match="'tpu' is not known"):
        pick_device("tpu")
