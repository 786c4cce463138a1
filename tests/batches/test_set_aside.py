from __future__ import annotations

from collections import Counter

import pytest

from heedful.batches.set_aside import set_aside
from heedful.batches.survey import Survey
from heedful.errors import InputError
from heedful.text.corpus import ParallelCorpus

CORPUS = ParallelCorpus("source", "target")


def survey_of(*sources: str, pairs: int | None = None) -> Survey:
    """What a survey finds whose sample has these sources; each pair has its own target."""
    places = range(len(sources))
    return Survey(
        pairs=pairs or len(sources),
        sources=dict(zip(places, sources, strict=True)),
        targets={place: f"{sources[place]}/{place}" for place in places},
    )


def lines(n: int) -> list[str]:
    return [f"line {i}" for i in range(n)]


@pytest.mark.parametrize(
    ("n_pairs", "n_aside"),
    [(20, 10), (499, 10), (549, 10), (550, 11), (50_000, 1000), (60_000, 1000)],
)
def test_one_pair_in_fifty(n_pairs: int, n_aside: int) -> None:
    seen = survey_of(*lines(n_pairs))
    pairs = set_aside(seen, CORPUS, seed=1)
    assert len(set(pairs)) == n_aside
    assert all(target.startswith(f"{source}/") for source, target in pairs)
    assert len(seen.sources) == len(seen.targets) == n_pairs - n_aside
    assert seen.scale == 1


def test_all_pairs_of_a_source_leave_the_sample_and_the_first_is_kept() -> None:
    seen = survey_of(*lines(25), *lines(25), *lines(25))
    pairs = set_aside(seen, CORPUS, seed=1)
    assert len(pairs) == 10
    assert all(target == f"{source}/{source.split()[1]}" for source, target in pairs)
    chosen = {source for source, _ in pairs}
    assert Counter(seen.sources.values()) == {line: 3 for line in lines(25) if line not in chosen}
    assert seen.targets.keys() == seen.sources.keys()


def test_rare_sources_are_preferred() -> None:
    often, twice, once = lines(30), ["two a", "two b", "two c"], [f"one {i}" for i in range(18)]
    seen = survey_of(*often * 35, *twice * 2, *once)
    chosen = {source for source, _ in set_aside(seen, CORPUS, seed=1)}  # of 1,074 pairs
    assert len(chosen) == 21
    assert chosen == {*once, *twice}


def test_repeated_sources_do_not_drain_the_training_data() -> None:
    """One in fifty would be 40 sources, with all pairs; a tenth of the pairs is had by 10 sources,
    and a half is all that ever leaves."""
    assert len(set_aside(survey_of(*lines(40) * 50), CORPUS, seed=1)) == 10
    assert len(set_aside(survey_of(*lines(200) * 10), CORPUS, seed=1)) == 20
    seen = survey_of(*lines(20) * 100)
    set_aside(seen, CORPUS, seed=1)
    assert len(seen.sources) == 1000


def test_the_draw_hangs_on_the_seed_alone() -> None:
    first, again, other = (set_aside(survey_of(*lines(99)), CORPUS, seed) for seed in (3, 3, 4))
    assert first == again
    assert set(first) != set(other)


def test_a_sample_speaks_for_the_corpus() -> None:
    seen = survey_of(*lines(100), pairs=30_000)
    assert len(set_aside(seen, CORPUS, seed=1)) == 10  # a tenth of the sample
    assert seen.scale == pytest.approx((30_000 - 10) / 90)


def test_too_few_distinct_sources() -> None:
    with pytest.raises(InputError, match="190 usable pairs with 19 distinct source lines are too"):
        set_aside(survey_of(*lines(19) * 10), CORPUS, seed=1)
