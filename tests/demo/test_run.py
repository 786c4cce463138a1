"""The demo, from nothing to its pictures; what it has learnt is the benchmarks' business."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heedful.demo.corpus import DemoCorpus
from heedful.demo.run import judge

from ..trained import Command, is_told_briefly


def test_figures_by_hand(french_corpus: DemoCorpus) -> None:
    unseen = [e for e in french_corpus.test if e.held_out and e.decisive][:2]
    seen = [e for e in french_corpus.test if not e.held_out and e.decisive][:2]
    undecided = [e for e in french_corpus.test if not e.decisive][:1]
    examples = [*unseen, *seen, *undecided]
    found = [unseen[0].target, "", seen[0].target, "Il ou elle.", undecided[0].target]
    figures = judge(examples, found)
    assert figures["sentences"] == 5
    assert figures["exact_match"] == 60
    held_out = [e.held_out for e in examples]
    right = sum(e.held_out and f == e.target for e, f in zip(examples, found, strict=True))
    assert figures["exact_match_unseen_combinations"] == pytest.approx(100 * right / sum(held_out))
    assert figures["pronouns"] == 4
    masculine = seen[1].referent.gender == "m"
    assert figures["pronouns_right"] == (75 if masculine else 50)
    assert 0 < figures["bleu"] < 100


def test_all_right_is_a_hundred(french_corpus: DemoCorpus) -> None:
    figures = judge(french_corpus.test, [e.target for e in french_corpus.test])
    shares = {name: figures[name] for name in figures if name not in ("sentences", "pronouns")}
    assert list(shares.values()) == pytest.approx([100] * len(shares))


def test_from_nothing_to_pictures(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "[q] demo"  # no markup
    answer = command("demo", "--out", out, "--steps", "60")
    assert answer.code == 0, answer.err
    for told in ("exact match", "BLEU", "pronouns right", "“it” finds its noun", "Try next:"):
        assert told in answer.out
    for name in ("it-tired.png", "it-wide.png", "curve.png", "alignment.png"):
        assert (out / name).read_bytes().startswith(b"\x89PNG")
        assert str(out / name) in answer.out
    assert f"heedful translate {out}" in answer.out
    figures = json.loads((out / "demo.json").read_text())
    assert 0 <= figures["exact_match"] <= 100
    assert (out / "text" / "train.fr").exists()
    assert command("info", out).code == 0


def test_what_is_not_its_own_is_left_alone(tmp_path: Path, command: Command) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    answer = command("demo", "--out", tmp_path, "--steps", "60")
    assert is_told_briefly(answer)
    assert f"{tmp_path} holds something else" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    answer = command("demo", "--out", tmp_path / "thesis.txt")
    assert is_told_briefly(answer)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"
