from __future__ import annotations

import pytest

import heedful
from heedful.demo.corpus import DemoCorpus, Example
from heedful.demo.english import english
from heedful.demo.finder import Finder, best_finder, decided_at
from heedful.demo.french import french
from heedful.demo.judge import word_positions
from heedful.demo.meaning import Meaning
from heedful.translator import Translator

from ..trained import TINY, write_pairs
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


@pytest.fixture(scope="module")
def untaught(french_corpus: DemoCorpus, tmp_path_factory: pytest.TempPathFactory) -> Translator:
    """A model of one step, whose heads are right by chance."""
    folder = tmp_path_factory.mktemp("untaught")
    text = write_pairs(folder, [(e.source, e.target) for e in french_corpus.train[:300]])
    heedful.train(out=folder / "run", **text.options, steps=1, threads=1, quiet=True,
                  set=(*TINY, "text.vocabulary_size=400"))  # fmt: skip
    return heedful.load(folder / "run", engine="torch", threads=1)


def test_the_best_head_and_its_share_are_what_the_weights_say(
    untaught: Translator, french_corpus: DemoCorpus
) -> None:
    examples = [e for e in french_corpus.test[:40] if e.decisive][:7]
    best = best_finder(untaught, examples)
    shares = {}
    for finder in (Finder(kind, 1, head) for kind in ("encoder", "cross") for head in (1, 2)):
        right = []
        for example in examples:
            record = untaught.attend(example.source, example.target)
            words = record.get(finder.kind, 1).keys_by_words()
            row = words.weights[finder.head - 1, finder.query(untaught, example)]
            at = word_positions(example)
            right.append(row[at.referent] > row[at.other])
        shares[finder] = 100 * sum(right) / len(right)
        assert finder.share_right(untaught, examples) == pytest.approx(shares[finder])
    assert shares[best] == max(shares.values())


def test_between_words_the_deciding_piece_looks(
    untaught: Translator, french_corpus: DemoCorpus
) -> None:
    example = next(e for e in french_corpus.test if e.decisive)
    record = untaught.attend(example.source, example.target)
    finder = Finder("cross", 1, 1)
    words, query = finder.between_words(untaught, example, record)
    expected = record.get("cross", 1).keys_by_words().weights[0, finder.query(untaught, example)]
    assert words.weights[0, query] == pytest.approx(expected)
