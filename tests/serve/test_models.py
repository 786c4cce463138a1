"""Models that cannot be served."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ..trained import Command, is_told_briefly


@pytest.mark.parametrize(
    "damage", [lambda file: file.write_bytes(b"garbage"), Path.unlink], ids=["broken", "missing"]
)
def test_a_tokenizer_is_told_by_the_name_of_the_run(
    prose_run: Path, tmp_path: Path, command: Command, damage: Callable[[Path], None]
) -> None:
    run = tmp_path / "run"
    shutil.copytree(prose_run, run)
    damage(run / "tokenizer.model")
    answer = command("serve", run, "--port", 0)
    assert is_told_briefly(answer)
    assert str(run / "tokenizer.model") in answer.err
