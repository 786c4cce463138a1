from __future__ import annotations

import pytest

from heedful.demo.corpus import DemoCorpus, Example
from heedful.demo.english import english
from heedful.demo.french import french
from heedful.demo.judge import (
    Positions,
    always_the_same,
    of_the_other,
    pronoun_right,
    word_positions,
)
from heedful.demo.korean import korean

from .say import say

WIDE = say("animal", "didn't", "street", "because", "was wide", verb="cross")
DEEP = say("horse", "couldn't", "river", "even though", "was shallow", verb="cross", fronted=True)


def in_french() -> Example:
    return Example(english(WIDE), french(WIDE), "fr", WIDE)


def in_korean() -> Example:
    return Example(english(WIDE), korean(WIDE), "ko", WIDE)


@pytest.mark.parametrize(
    ("translation", "right"),
    [
        ("L'animal n'a pas traversé la rue parce qu'elle était trop large.", True),
        ("L'animal n'a pas traversé la rue parce qu'il était trop large.", False),
        ("Le chien a gravi le le parce qu'elle", True),  # all else is wrong, but not this
        ("Comme il était trop large, l'animal n'a pas traversé la rue.", False),
        ("Elle était trop large.", True),
        ("L'animal n'a pas traversé la ruelle.", False),
        ("", False),
    ],
)
def test_french_pronouns(translation: str, right: bool) -> None:
    assert pronoun_right(in_french(), translation) is right


@pytest.mark.parametrize(
    ("translation", "right"),
    [
        ("동물은 길을 건너지 않았다. 그 길이 너무 넓었기 때문이다.", True),
        ("동물은 길을 건너지 않았다. 그 동물이 너무 넓었기 때문이다.", False),
        ("개는 다리를 건넜다. 길이 너무 좁았기 때문이다.", True),  # all else is wrong, but not this
        ("길이 너무 넓었기 때문에 동물은 그 길을 건너지 않았다.", True),
        ("동물이 너무 피곤했기 때문에 그 동물은 길을 건너지 않았다.", False),
        ("산길이 너무 넓었는데도 동물은 길을 건넜다.", False),
        ("동물은 길을 건너지 않았다.", False),
        ("", False),
    ],
)
def test_korean_nouns(translation: str, right: bool) -> None:
    assert pronoun_right(in_korean(), translation) is right


def test_every_reference_is_right(french_corpus: DemoCorpus, korean_corpus: DemoCorpus) -> None:
    for example in french_corpus.test + korean_corpus.test:
        assert pronoun_right(example, example.target), example.target


def test_always_the_same_answer() -> None:
    """Two of three are la rue; the third has two nouns of one gender, and so tells nothing."""
    tired = say("animal", "didn't", "street", "because", "was tired", verb="cross")
    bridge = say("animal", "didn't", "bridge", "because", "was narrow", verb="cross")
    meanings = [WIDE, WIDE, tired, bridge]
    in_fr = [Example(english(m), french(m), "fr", m) for m in meanings]
    assert [e.decisive for e in in_fr] == [True, True, True, False]
    assert always_the_same(in_fr) == pytest.approx(100 * 2 / 3)
    in_ko = [Example(english(m), korean(m), "ko", m) for m in meanings]
    assert always_the_same(in_ko) == 75  # it is the subject once


def test_word_positions() -> None:
    assert word_positions(in_french()) == Positions(it=7, referent=5, other=1)
    fronted = Example(english(DEEP), french(DEEP), "fr", DEEP)
    assert fronted.source == "Even though it was shallow, the horse couldn't cross the river."
    assert word_positions(fronted) == Positions(it=2, referent=10, other=6)


def test_word_positions_of_all(french_corpus: DemoCorpus) -> None:
    for example in french_corpus.test:
        words = example.source.lower().replace(",", "").replace(".", "").split()
        at = word_positions(example)
        assert words[at.it] == "it"
        assert words[at.referent] == example.referent.english
        assert words[at.other] == example.other.english
        assert words.count("it") == 1


def test_if_it_meant_the_other_noun() -> None:
    assert of_the_other(in_french()).startswith("L'animal n'a pas traversé la rue parce qu'il ")
    fronted = Example(english(DEEP), french(DEEP), "fr", DEEP)
    assert fronted.target.startswith("Même si elle était ")
    assert of_the_other(fronted).startswith("Même s'il était ")
    assert "동물이" in of_the_other(in_korean())


def test_if_it_meant_the_other_noun_something_else_is_said(
    french_corpus: DemoCorpus, korean_corpus: DemoCorpus
) -> None:
    for example in french_corpus.test + korean_corpus.test:
        assert of_the_other(example) != example.target
