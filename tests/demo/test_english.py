from __future__ import annotations

from heedful.demo.corpus import FAMOUS
from heedful.demo.english import english

from .say import say


def test_the_famous_sentences() -> None:
    tired = say("animal", "didn't", "street", "because", "was tired", verb="cross")
    wide = say("animal", "didn't", "street", "because", "was wide", verb="cross")
    assert (english(tired), english(wide)) == FAMOUS


def test_word_orders_and_degrees() -> None:
    fronted = say(
        "dog", "{past}", "forest", "even though", "was sleepy",
        verb="go through", fronted=True, time="last Sunday",
    )  # fmt: skip
    place = say("street", "was difficult", "dog", "because", "was wide", verb="cross")
    timed = say("dog", "wanted", "park", "because", "was hungry", verb="enter", time="that evening")
    assert english(fronted) == (
        "Even though it was very sleepy, the dog went through the forest last Sunday."
    )
    assert english(place) == (
        "The street was difficult for the dog to cross because it was too wide."
    )
    assert english(timed) == "That evening, the dog wanted to enter the park because it was hungry."
