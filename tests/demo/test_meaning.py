from __future__ import annotations

from itertools import islice

from heedful.demo.english import english
from heedful.demo.french import french
from heedful.demo.korean import korean
from heedful.demo.meaning import space
from heedful.demo.nouns import NOUNS
from heedful.demo.reasons import REASONS


def test_a_reason_fits_exactly_one_of_the_two_nouns() -> None:
    for reason in REASONS:
        assert not set(reason.of) & set(reason.beside), reason.english
        kinds = {noun.kind for noun in reason.of}, {noun.kind for noun in reason.beside}
        assert ("place" in kinds[0]) != ("place" in kinds[1]), reason.english


def test_every_reason_is_said_of_both_genders() -> None:
    for reason in REASONS:
        assert {noun.gender for noun in reason.of} == {"m", "f"}, reason.english
        assert {noun.gender for noun in reason.beside} == {"m", "f"}, reason.english


def test_no_two_nouns_share_a_word() -> None:
    for words in (
        [noun.english for noun in NOUNS],
        [noun.french for noun in NOUNS],
        [noun.korean for noun in NOUNS],
    ):
        assert len(set(words)) == len(words)


def test_at_least_100_000_distinct_pairs_and_one_translation_for_each_source() -> None:
    # Every seventh meaning, which reaches all reasons and is already more than enough
    meanings = list(islice(space(), 0, None, 7))
    sources = {english(meaning) for meaning in meanings}
    assert len(sources) == len(meanings) >= 100_000
    # No slot or notation may be left over in what is said
    for meaning in islice(meanings, 0, None, 10):
        text = english(meaning) + french(meaning) + korean(meaning)
        assert not set(text) & set("{}[]|~"), text
        assert "  " not in text, text
