from __future__ import annotations

import pytest

from heedful.demo.korean import has_final, korean, with_particle

from .say import say


@pytest.mark.parametrize(
    ("word", "topic", "subject", "direct_object"),
    [
        ("동물", "동물은", "동물이", "동물을"),
        ("개", "개는", "개가", "개를"),
        ("암탉", "암탉은", "암탉이", "암탉을"),
        ("다리", "다리는", "다리가", "다리를"),
        ("숲", "숲은", "숲이", "숲을"),
        ("쥐", "쥐는", "쥐가", "쥐를"),
    ],
)
def test_particles(word: str, topic: str, subject: str, direct_object: str) -> None:
    assert with_particle(word, "은") == topic
    assert with_particle(word, "이") == subject
    assert with_particle(word, "을") == direct_object


def test_particles_that_never_change() -> None:
    assert with_particle("숲", "에") == "숲에"
    assert with_particle("개", "에게") == "개에게"
    assert with_particle("곰", "의") == "곰의"


def test_final_consonants() -> None:
    assert [has_final(word) for word in ("길", "강", "소", "도로")] == [True, True, False, False]


def test_the_famous_sentences() -> None:
    tired = say("animal", "didn't", "street", "because", "was tired", verb="cross")
    wide = say("animal", "didn't", "street", "because", "was wide", verb="cross")
    assert korean(tired) == "동물은 길을 건너지 않았다. 그 동물이 너무 피곤했기 때문이다."
    assert korean(wide) == "동물은 길을 건너지 않았다. 그 길이 너무 넓었기 때문이다."


def test_a_fronted_cause_names_the_noun_first() -> None:
    deep = say("horse", "couldn't", "river", "because", "was deep", verb="cross", fronted=True)
    sick = say(
        "mule", "couldn't", "bridge", "because", "was sick",
        verb="cross", fronted=True, time="yesterday",
    )  # fmt: skip
    assert korean(deep) == "강이 너무 깊었기 때문에 말은 그 강을 건널 수 없었다."
    assert korean(sick) == "노새가 너무 아팠기 때문에 그 노새는 어제 다리를 건널 수 없었다."


def test_a_concession_comes_first() -> None:
    meaning = say("bear", "{past}", "cave", "even though", "was narrow", verb="enter")
    assert korean(meaning) == "동굴이 매우 좁았는데도 곰은 그 동굴에 들어갔다."


def test_a_place_as_subject() -> None:
    hill = say(
        "hill", "was difficult", "donkey", "because", "was young", verb="climb", time="that morning"
    )
    assert (
        korean(hill)
        == "그날 아침 언덕은 당나귀가 오르기 힘들었다. 그 당나귀가 너무 어렸기 때문이다."
    )


def test_only_the_living_take_ege() -> None:
    dog = say("bridge", "was a problem", "dog", "because", "was narrow")
    truck = say("bridge", "was a problem", "truck", "because", "was narrow")
    assert korean(dog) == "다리는 개에게 문제가 되었다. 그 다리가 너무 좁았기 때문이다."
    assert korean(truck) == "다리는 트럭에 문제가 되었다. 그 다리가 너무 좁았기 때문이다."
