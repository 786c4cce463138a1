"""How far a hypothesis has come with its phrases."""

from __future__ import annotations

from heedful.decoding.phrases import Phrases, Written


def written(phrases: Phrases, *tokens: int) -> Written:
    state = Written()
    for token in tokens:
        state = phrases.next(state, token)
    return state


PHRASES = Phrases([[5, 6, 7], [5, 8], [9]])


def test_a_phrase_is_written_token_by_token() -> None:
    assert PHRASES.length == 6
    assert PHRASES.met(written(PHRASES, 5)) == 1
    assert PHRASES.met(written(PHRASES, 5, 6)) == 2
    assert written(PHRASES, 5, 6, 7).done == {0}
    assert PHRASES.wanted(written(PHRASES, 5, 6)) == {7}
    assert PHRASES.wanted(written(PHRASES, 5, 6, 7)) == {5, 9}


def test_one_that_is_broken_off_counts_for_nothing() -> None:
    assert written(PHRASES, 5, 6, 4) == Written()
    assert PHRASES.met(written(PHRASES, 5, 6, 5)) == 1
    assert written(PHRASES, 5, 6, 9).done == {2}


def test_two_that_begin_alike() -> None:
    assert written(PHRASES, 5, 8).done == {1}
    assert written(PHRASES, 5, 8, 5, 6, 7, 9).done == {0, 1, 2}


def test_one_that_is_wanted_twice() -> None:
    twice = Phrases([[3], [3]])
    assert twice.met(written(twice, 3)) == 1
    assert written(twice, 3, 3).done == {0, 1}
    assert twice.wanted(written(twice, 3, 3)) == set()


def test_what_follows_a_phrase_leaves_it_as_it_is() -> None:
    phrases = Phrases([[5, 6]], continuations=frozenset({6, 7}))
    behind = written(phrases, 5, 6)
    assert not phrases.may_follow(behind, 7)
    assert phrases.may_follow(behind, 8)
    assert phrases.may_follow(written(phrases, 5), 6)
    assert phrases.may_follow(written(phrases, 5, 6, 8), 7)
