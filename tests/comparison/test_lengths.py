"""Sentences in groups by their length."""

from __future__ import annotations

import itertools

from heedful.comparison.lengths import FEWEST, GROUPS, bleu_of, by_length


def test_groups_are_about_as_large_and_share_no_length() -> None:
    sources = [" ".join(["w"] * (1 + i % 17)) for i in range(400)]
    groups = by_length(sources)
    assert sorted(line for group in groups for line in group.lines) == list(range(400))
    assert len(groups) <= GROUPS
    for before, after in itertools.pairwise(groups):
        assert before.longest < after.shortest
    assert all(len(group.lines) >= FEWEST for group in groups)
    for group in groups:
        assert {len(sources[i].split()) for i in group.lines} <= set(
            range(group.shortest, group.longest + 1)
        )


def test_few_lines_are_one_group() -> None:
    (group,) = by_length(["a b", "a", "a b c"])
    assert (group.name, group.lines) == ("1–3", (1, 0, 2))


def test_bleu_is_of_the_group_alone() -> None:
    sources = ["a"] * 30 + ["a b c d e f"] * 30
    references = ["ein kurzer kleiner Satz"] * 30 + ["dies ist ein langer Satz"] * 30
    texts = references[:30] + ["gar nichts davon stimmt hier"] * 30
    short, long = by_length(sources)
    assert (short.name, long.name) == ("1", "6")
    assert bleu_of(short, texts, references) > 99
    assert bleu_of(long, texts, references) < 10
