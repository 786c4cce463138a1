from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.batches import prepared
from heedful.batches.prepared import also_in_training
from heedful.text.tidy import line_hashes

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=12)


@given(LINES, LINES)
@settings(deadline=None)
def test_lines_that_were_trained_on_are_counted(
    tmp_path_factory: pytest.TempPathFactory, trained: list[str], asked: list[str]
) -> None:
    folder: Path = tmp_path_factory.mktemp("hashes")
    line_hashes(trained).tofile(folder / "train.hashes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prepared, "PART", 3)
        found = also_in_training(folder, [f" {line} " for line in asked])
    assert found == sum(line in trained for line in asked)
