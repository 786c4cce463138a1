from __future__ import annotations

import random
from pathlib import Path

import pytest

from heedful.batches import survey as module
from heedful.batches.survey import survey
from heedful.errors import InputError
from heedful.text.corpus import ParallelCorpus


def corpus_of(folder: Path, pairs: list[tuple[str, str]]) -> ParallelCorpus:
    for side, name in enumerate(("source", "target")):
        text = "".join(pair[side] + "\n" for pair in pairs)
        (folder / name).write_text(text, encoding="utf-8")
    return ParallelCorpus(folder / "source", folder / "target")


def test_the_sample_is_that_of_reservoir_sampling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The textbook's, pair by pair; a vocabulary once learnt can be learnt again."""
    monkeypatch.setattr(module, "SAMPLE", 50)
    monkeypatch.setattr("heedful.text.blocks.SIZE", 100)
    pairs = [("" if n % 7 == 0 else f"s{n}", f"t{n}") for n in range(700)]
    told: list[tuple[str, int, int | None]] = []
    seen = survey(corpus_of(tmp_path, pairs), 3, lambda *told_now: told.append(told_now))
    draw, sample = random.Random(3), list[tuple[str, str]]()
    for n, pair in enumerate((pair for pair in pairs if pair[0]), start=1):
        if len(sample) < 50:
            sample.append(pair)
        elif (place := draw.randrange(n)) < 50:
            sample[place] = pair
    assert list(zip(seen.sources.values(), seen.targets.values(), strict=True)) == sample
    assert (seen.pairs, seen.blank) == (600, 100)
    assert sum(seen.usable) == 600
    assert len(seen.usable) > 10
    assert told[-1] == ("reading the text", 600, None)


def test_blank_lines_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pair has text on both sides"):
        survey(corpus_of(tmp_path, [("a", ""), ("", "b")]), 1, lambda *_: None)
