"""What is served stays what it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import heedful
from heedful.serve.snapshot import Snapshot


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
