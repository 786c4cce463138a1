from __future__ import annotations

import pytest

from heedful.demo.corpus import Example
from heedful.demo.english import english
from heedful.demo.finder import decided_at
from heedful.demo.french import french
from heedful.demo.meaning import Meaning
from heedful.translator import Translator

from .say import say

TIRED = say("animal", "didn't", "street", "because", "was tired", verb="cross")
SHALLOW = say("horse", "couldn't", "river", "even though", "was shallow", verb="cross")


@pytest.mark.parametrize(
    ("meaning", "before"), [(TIRED, "L'animal n'a pas traversé la rue parce qu'"),
                            (SHALLOW, "Le cheval n'a pas pu traverser la rivière même s")],
)  # fmt: skip
def test_where_the_word_for_it_is_decided(meaning: Meaning, before: str, chars: Translator) -> None:
    """By a model that spells, so that each letter is a piece of its own."""
    example = Example(english(meaning), french(meaning), "fr", meaning)
    place = decided_at(chars, example)
    ids = chars.target_tokenizer.encode(example.target)
    assert chars.target_tokenizer.decode(ids[:place]).replace("▁", " ") == before
