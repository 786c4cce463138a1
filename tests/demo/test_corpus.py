from __future__ import annotations

from collections import defaultdict

import pytest

from heedful.demo.corpus import FAMOUS, DemoCorpus, Example, generate
from heedful.demo.held_out import HELD_OUT_PAIRS, HELD_OUT_REASONS
from heedful.demo.nouns import NOUNS
from heedful.demo.reasons import REASONS, Reason
from heedful.errors import HeedfulError


def share(found: int, of: int) -> float:
    return found / of


def by_reason(examples: list[Example]) -> dict[Reason, list[Example]]:
    found: dict[Reason, list[Example]] = defaultdict(list)
    for example in examples:
        found[example.meaning.reason].append(example)
    return found


def referent_first(example: Example) -> bool:
    return example.referent is example.meaning.subject


def test_sizes_and_distinct_sentences(french_corpus: DemoCorpus) -> None:
    parts = (french_corpus.train, french_corpus.valid, french_corpus.test)
    assert [len(part) for part in parts] == [30_000, 500, 1_000]
    assert len({example.source for part in parts for example in part}) == 31_500


def test_the_seed_decides() -> None:
    one, same, other = (generate("ko", seed=s, train=50, valid=5, test=10) for s in (3, 3, 4))
    assert one == same
    assert one.train != other.train


def test_the_test_does_not_depend_on_the_size_of_the_training() -> None:
    assert generate("fr", train=10).test == generate("fr", train=50).test


def test_both_languages_translate_the_same_sentences(
    french_corpus: DemoCorpus, korean_corpus: DemoCorpus
) -> None:
    assert [e.source for e in french_corpus.test] == [e.source for e in korean_corpus.test]


def test_the_famous_sentences_are_in_the_test_only(french_corpus: DemoCorpus) -> None:
    assert tuple(example.source for example in french_corpus.test[:2]) == FAMOUS
    assert not {example.source for example in french_corpus.train} & set(FAMOUS)


def test_held_out_combinations_never_occur_in_training(french_corpus: DemoCorpus) -> None:
    for example in french_corpus.train + french_corpus.valid:
        nouns = (example.meaning.subject, example.meaning.other)
        assert nouns not in HELD_OUT_PAIRS
        assert nouns[::-1] not in HELD_OUT_PAIRS
        assert (example.meaning.reason, example.referent) not in HELD_OUT_REASONS
        assert not example.held_out
    assert sum(example.held_out for example in french_corpus.test) == 500


def test_every_word_is_trained_in_both_roles(french_corpus: DemoCorpus) -> None:
    referents: dict[str, int] = defaultdict(int)
    others: dict[str, int] = defaultdict(int)
    for example in french_corpus.train:
        referents[example.referent.english] += 1
        others[example.other.english] += 1
    for noun in NOUNS:
        assert referents[noun.english] >= 50, noun.english
        assert others[noun.english] >= 50, noun.english
    assert set(by_reason(french_corpus.train)) == set(REASONS)


def test_it_is_the_subject_as_often_as_not(french_corpus: DemoCorpus) -> None:
    train = french_corpus.train
    assert share(sum(map(referent_first, train)), len(train)) == pytest.approx(0.5, abs=0.02)
    assert share(sum(e.decisive for e in train), len(train)) == pytest.approx(0.5, abs=0.02)


def test_no_reason_tells_position_or_gender(french_corpus: DemoCorpus) -> None:
    for reason, examples in by_reason(french_corpus.train).items():
        first = [example for example in examples if referent_first(example)]
        assert share(len(first), len(examples)) == pytest.approx(0.5, abs=0.1), reason.english
        last = [example for example in examples if not referent_first(example)]
        for group in (first, last):
            masculine = sum(example.referent.gender == "m" for example in group)
            assert share(masculine, len(group)) == pytest.approx(0.5, abs=0.1), reason.english


def test_decisive_is_about_gender_in_french_only(
    french_corpus: DemoCorpus, korean_corpus: DemoCorpus
) -> None:
    for example in french_corpus.test:
        assert example.decisive == (example.referent.gender != example.other.gender)
    assert all(example.decisive for example in korean_corpus.test)


@pytest.mark.parametrize("sizes", [{"test": 3}, {"train": -1}, {"train": 1_000_000}])
def test_impossible_sizes_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(HeedfulError, match="wanted sizes"):
        generate("fr", **sizes)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(HeedfulError, match="'de'"):
        generate("de")  # type: ignore[arg-type] # that is the fault
