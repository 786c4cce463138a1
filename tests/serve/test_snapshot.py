"""What is served stays what it was."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

import heedful
from heedful.errors import ModelFolderError
from heedful.serve.snapshot import Snapshot, sweep

from ..trained import sentences
from ..waiting import wait_until_async
from .served import running

SENTENCE = sentences()[0][0]
ASKED = {"text": SENTENCE, "source": "en", "target": "eo"}
needs_locks = pytest.mark.skipif(sys.platform == "win32", reason="machine: it has no such locks")


def test_it_outlives_the_run_and_goes_with_its_last_user(prose_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(prose_run, run)
    snapshot = Snapshot(run)
    for file in ("model.safetensors", "config.json"):
        (run / file).write_bytes(b"something else")
    found = heedful.load(snapshot.path, engine="torch", threads=1).translate("The cat sees.")
    assert found == heedful.load(prose_run, engine="torch", threads=1).translate("The cat sees.")
    path = snapshot.path
    del snapshot
    assert not path.exists()


def test_where_there_is_no_room_it_is_told(
    prose_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(ModelFolderError, match="TMPDIR may name another"):
        Snapshot(prose_run)


@needs_locks
def test_servers_that_start_together(
    prose_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One may look at the other's folder for a dead one's before that has locked it."""
    import fcntl

    made: list[int] = []
    make = tempfile.mkdtemp

    def make_and_lock(prefix: str) -> str:
        path = make(prefix=prefix)
        if not made:
            made.append(os.open(path, os.O_RDONLY))
            fcntl.flock(made[0], fcntl.LOCK_EX)
        return path

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tempfile.mkdtemp", make_and_lock)
    assert (Snapshot(prose_run).path / "config.json").exists()
    os.close(made[0])


@needs_locks
@pytest.mark.parametrize("what", ["*", "*/model.safetensors", "*/config.json"])
def test_what_others_clear_away_is_made_again(prose_run: Path, tmp_path: Path, what: str) -> None:
    """Old files in /tmp are. The run itself may have changed meanwhile."""
    run, copies = tmp_path / "run", tmp_path / "copies"
    shutil.copytree(prose_run, run)
    copies.mkdir()
    with running(run, "--rate", 0, env=os.environ | {"TMPDIR": str(copies)}) as server:
        (run / "model.safetensors").write_bytes(b"a new version, half written")
        for found in copies.glob(f"heedful-{what}"):
            shutil.rmtree(found) if found.is_dir() else found.unlink()
        assert server.ask("/v1/record", ASKED).status == 200
        assert server.ask("/see/api/models").status == 200
        (left,) = (path for path in copies.glob("heedful-*") if len(list(path.iterdir())) > 2)
    assert not left.exists()


@needs_locks
def test_what_another_put_in_its_place_is_not_taken(prose_run: Path) -> None:
    snapshot = Snapshot(prose_run)
    first = snapshot.path
    assert snapshot.path == first
    (first / "config.json").unlink()
    (first / "config.json").write_text("{}")
    assert snapshot.path != first
    assert (snapshot.path / "config.json").read_bytes() == (prose_run / "config.json").read_bytes()
    assert not first.exists()


@needs_locks
def test_others_are_not_kept_waiting_while_it_is_made_again(
    prose_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = Snapshot(prose_run)
    shutil.rmtree(snapshot.path)
    copy, threads, may_go_on = shutil.copyfileobj, set[int](), threading.Event()

    def copy_slowly(*about: Any) -> None:
        threads.add(threading.get_ident())
        assert may_go_on.wait(60)
        copy(*about)

    async def scene() -> None:
        asked = [asyncio.create_task(snapshot.whole()) for _ in range(3)]
        await wait_until_async(lambda: threads)
        assert not any(one.done() for one in asked)
        may_go_on.set()  # who is kept waiting could not say so
        assert len(set(await asyncio.gather(*asked))) == 1  # it is made once for all

    monkeypatch.setattr("shutil.copyfileobj", copy_slowly)
    asyncio.run(scene())
    assert len(threads) == 1
    assert threading.get_ident() not in threads


@needs_locks
def test_what_a_killed_server_left_goes_when_the_next_starts(
    prose_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mine = Snapshot(prose_run)
    with running(prose_run, env=os.environ | {"TMPDIR": str(tmp_path)}) as server:
        (theirs,) = set(tmp_path.iterdir()) - {mine.path}
        sweep()
        assert theirs.exists()  # it is in use
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    assert theirs.exists()
    sweep()
    assert list(tmp_path.iterdir()) == [mine.path]
