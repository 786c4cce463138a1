from __future__ import annotations

import pytest

from heedful.demo.french import definite, french, inflect, to
from heedful.demo.nouns import named

from .say import say


@pytest.mark.parametrize(
    ("english", "with_article", "with_to"),
    [
        ("dog", "le chien", "au chien"),
        ("street", "la rue", "à la rue"),
        ("animal", "l'animal", "à l'animal"),
        ("donkey", "l'âne", "à l'âne"),
        ("goose", "l'oie", "à l'oie"),
        ("staircase", "l'escalier", "à l'escalier"),
        ("hedgehog", "le hérisson", "au hérisson"),
    ],
)
def test_articles(english: str, with_article: str, with_to: str) -> None:
    (noun,) = named(english)
    assert definite(noun) == with_article
    assert to(noun) == with_to


def test_inflection() -> None:
    assert inflect("était long[|ue] et nerveu[x|se]", "m") == "était long et nerveux"
    assert inflect("était long[|ue] et nerveu[x|se]", "f") == "était longue et nerveuse"


def test_the_famous_sentences() -> None:
    tired = say("animal", "didn't", "street", "because", "was tired", verb="cross")
    wide = say("animal", "didn't", "street", "because", "was wide", verb="cross")
    assert french(tired) == "L'animal n'a pas traversé la rue parce qu'il était trop fatigué."
    assert french(wide) == "L'animal n'a pas traversé la rue parce qu'elle était trop large."


def test_the_participle_of_entrer_agrees_with_the_subject() -> None:
    meaning = say("cow", "didn't", "park", "because", "was crowded", verb="enter", time="yesterday")
    assert french(meaning) == (
        "Hier, la vache n'est pas entrée dans le parc parce qu'il était trop fréquenté."
    )


def test_de_elides() -> None:
    meaning = say("bear", "refused", "cave", "because", "was deep", verb="enter")
    assert french(meaning) == (
        "L'ours a refusé d'entrer dans la grotte parce qu'elle était trop profonde."
    )


def test_si_elides_before_il_only() -> None:
    he = say("horse", "managed", "river", "even though", "was tired", verb="cross")
    she = say("horse", "managed", "river", "even though", "was deep", verb="cross", fronted=True)
    assert french(he) == "Le cheval a réussi à traverser la rivière même s'il était très fatigué."
    assert french(she) == (
        "Même si elle était très profonde, le cheval a réussi à traverser la rivière."
    )


def test_a_fronted_cause_and_a_time() -> None:
    meaning = say(
        "mule", "easily", "hill", "because", "was strong",
        verb="climb", fronted=True, time="last Sunday",
    )  # fmt: skip
    assert french(meaning) == (
        "Comme elle était forte, la mule a facilement gravi la colline dimanche dernier."
    )


def test_a_place_as_subject() -> None:
    hard = say("street", "was dangerous", "dog", "because", "was nervous", verb="cross")
    problem = say("tunnel", "was no problem", "sheep", "because", "was wide enough")
    assert french(hard) == (
        "La rue était dangereuse à traverser pour le chien parce qu'il était trop nerveux."
    )
    assert french(problem) == (
        "Le tunnel ne posait aucun problème au mouton parce qu'il était assez large."
    )
