"""Both engines give the same translations, with the same scores, for whatever they are asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import heedful
from heedful.errors import RecipeError
from heedful.model_folder.card import read_card, save_card
from heedful.planning import Translation
from heedful.translator import Translator

from ..trained import TINY, Command, is_told_briefly, sentences, write_pairs

# Some lines are longer than the model holds, on purpose; of anything else a warning is a failure.
pytestmark = pytest.mark.filterwarnings(
    r"ignore:line \d+. (a sentence is longer than|cut. \d+ tokens)"
)

LINES = [source for source, _ in sentences()[380:]] + [
    "Zebras aren't known here, nor is 日本.",
    "The cat sees the dog here. The dog sees the cat there! Now?",
    "The cat " * 12,
    "a",
    "",
]

WAYS: list[dict[str, Any]] = [
    {"beam": 1},
    {"beam": 4},
    {"beam": 4, "nbest": 4},
    {"beam": 7, "nbest": 3},
    {"beam": 3, "alpha": 0.5},
    {"beam": 1, "alpha": 0.3},
    {"beam": 4, "min_length": 12},
    {"beam": 1, "min_length": 12},
    {"beam": 4, "nbest": 4, "max_length": 5},
    {"beam": 1, "max_length": 5},
    {"beam": 4, "nbest": 4, "max_length": 1},
    {"beam": 4, "nbest": 4, "prefix": "La kat"},
    {"beam": 1, "prefix": "La kat"},
    {"beam": 4, "nbest": 4, "prefix": "La kato amas la kidon nun."},
    {"beam": 4, "nbest": 4, "patience": 1},
    {"beam": 4, "nbest": 4, "patience": 1.5},
    {"beam": 3, "nbest": 3, "patience": 1.5},
    {"beam": 5, "nbest": 5, "patience": 1.1},
    {"beam": 3, "nbest": 3, "patience": 13 / 3},
    {"beam": 4, "nbest": 4, "patience": 40},
    {"beam": 4, "nbest": 4, "patience": 3, "prefix": "La kat"},
    {"beam": 4, "nbest": 4, "patience": 3, "max_length": 5},
    {"beam": 1, "patience": 3},
    {"beam": 4, "batch_tokens": 16},
    {"beam": 4, "split_sentences": False},
]


@pytest.fixture(scope="module")
def engines(prose_run: Path) -> tuple[Translator, Translator]:
    return opened(prose_run)


def opened(run: Path) -> tuple[Translator, Translator]:
    return heedful.load(run, engine="torch"), heedful.load(run, engine="ctranslate2")


def options_of(translation: Translation) -> list[tuple[str, tuple[str, ...]]]:
    return [(t.text, t.tokens) for t in (*translation.nbest, translation)]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_same_texts_and_scores(engines: tuple[Translator, Translator], way: dict[str, Any]) -> None:
    ours, theirs = (engine.translate(LINES, **way) for engine in engines)
    for mine, other in zip(ours, theirs, strict=True):
        assert options_of(mine) == options_of(other)
        for one, two in zip(mine.nbest or (mine,), other.nbest or (other,), strict=True):
            assert one.score == pytest.approx(two.score, abs=1e-3)


@pytest.mark.parametrize("beam", [1, 4])
def test_both_look_at_the_same_words(engines: tuple[Translator, Translator], beam: int) -> None:
    ours, theirs = (engine.translate(LINES, beam=beam, align=True) for engine in engines)
    assert any(translation.links for translation in ours)
    for mine, other in zip(ours, theirs, strict=True):
        assert [link.target for link in mine.links] == [link.target for link in other.links]
        for one, two in zip(mine.links, other.links, strict=True):
            assert one.score == pytest.approx(two.score, abs=1e-3)
    same = [m.links == o.links for m, o in zip(ours, theirs, strict=True)]
    assert sum(same) > 0.9 * len(same)  # a tie between two words may fall either way


@pytest.fixture(scope="module")
def three_layers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("layers")
    heedful.train(
        out=folder / "run", **write_pairs(folder, sentences()).options, steps=40, threads=1,
        set=(*TINY, "model.n_layers=3", "training.peak_rate=0.01"), quiet=True,
    )  # fmt: skip
    return folder / "run"


def test_both_look_in_the_layer_that_the_card_names(three_layers: Path) -> None:
    """Of the same weights: the copy for CTranslate2 is made again for each."""
    card = read_card(three_layers)
    seen = {}
    for layer in (None, 0, 1, 2):
        save_card(three_layers, card.model_copy(update={"alignment_layer": layer}))
        ours, theirs = (
            [link.score for t in model.translate(LINES[:9], align=True) for link in t.links]
            for model in opened(three_layers)
        )
        assert ours == pytest.approx(theirs, abs=1e-3)
        seen[layer] = ours
    assert seen[None] == seen[1] != seen[0] != seen[2] != seen[1]


def test_what_leaves_nothing_to_search_for_is_looked_at(
    engines: tuple[Translator, Translator],
) -> None:
    plan = engines[0].planner.plan(LINES, beam=4)
    best = [some[0].tokens for some in engines[0].engine.search(plan.task)]
    task = replace(plan.task, prefixes=best, limits=list(map(len, best)), aligned=True)
    ours, theirs = (engine.engine.search(task) for engine in engines)
    for tokens, (mine, *_), (other, *_) in zip(best, ours, theirs, strict=True):
        assert mine.tokens == other.tokens == tokens
        assert mine.weights is not None
        assert other.weights is not None
        for one, two in zip(mine.weights, other.weights, strict=True):
            assert one[: len(two)] == pytest.approx(two, abs=1e-3)


def test_prefixes_of_some_lines_do_not_touch_the_others(
    engines: tuple[Translator, Translator],
) -> None:
    prefixes = ["La fem" if i % 3 == 0 else "" for i in range(len(LINES))]
    ours, theirs = (e.translate(LINES, beam=4, nbest=4, prefix=prefixes) for e in engines)
    free = engines[1].translate(LINES, beam=4, nbest=4)
    assert [options_of(t) for t in ours] == [options_of(t) for t in theirs]
    for i, (mine, other) in enumerate(zip(theirs, free, strict=True)):
        assert i % 3 == 0 or options_of(mine) == options_of(other)


def test_a_limit_of_its_own_for_each_sentence(engines: tuple[Translator, Translator]) -> None:
    """A model that never ends goes to the limit of each sentence, and no further."""
    source = engines[0].source_tokenizer
    lines = ["a", "The cat sees the dog here.", "The cat " * 5]
    ours, theirs = (
        e.translate(lines, beam=2, nbest=2, min_length=40, split_sentences=False) for e in engines
    )
    assert [options_of(t) for t in ours] == [options_of(t) for t in theirs]
    assert len(source.encode(lines[0])) < len(source.encode(lines[2]))


@pytest.mark.parametrize(
    "way", [{"stop": "exact"}, {"normalise": "gnmt"}, {"alpha": 0.0}, {"sample": True}], ids=str
)
def test_what_one_cannot_do_the_other_does(
    engines: tuple[Translator, Translator], prose_run: Path, way: dict[str, Any]
) -> None:
    ours, theirs = engines
    with pytest.raises(RecipeError, match="engine ctranslate2 cannot do this"):
        theirs.translate(LINES[0], beam=4, **way)
    by_itself = heedful.load(prose_run)
    assert by_itself.translate(LINES, beam=4, **way) == ours.translate(LINES, beam=4, **way)


def test_characters_and_words_too(chars_run: Path) -> None:
    words = ["abc", "hgfedcba", "x", "aaaa bbbb"]
    ours = heedful.load(chars_run, engine="torch").translate(words, beam=4, nbest=4)
    theirs = heedful.load(chars_run, engine="ctranslate2").translate(words, beam=4, nbest=4)
    assert [options_of(t) for t in ours] == [options_of(t) for t in theirs]


def test_a_beam_wider_than_the_vocabulary(tmp_path: Path) -> None:
    """CTranslate2 would fill it with hypotheses that cannot be: torch searches then."""
    lines = [" ".join(words) for n in range(1, 5) for words in product("ab", repeat=n)]
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, [(line, line) for line in lines]).options,
        source_tokens="words", target_tokens="words", steps=3, threads=1, set=TINY, quiet=True,
    )  # fmt: skip
    ours, theirs = opened(tmp_path / "run")
    assert len(ours.target_tokenizer.vocabulary) == 6  # two words and four marks
    with pytest.raises(RecipeError, match="a beam wider than the 3 tokens"):
        theirs.translate(lines, beam=4)
    by_itself = heedful.load(tmp_path / "run")
    assert by_itself.translate(lines, beam=4) == ours.translate(lines, beam=4)
    for patience in (1, 2, 3):
        way = {"beam": 3, "nbest": 3, "patience": patience}
        narrow = [model.translate(lines, **way) for model in (ours, theirs)]
        assert [options_of(t) for t in narrow[0]] == [options_of(t) for t in narrow[1]]


def test_quantized_is_nearly_the_same(prose_run: Path) -> None:
    exact = heedful.load(prose_run, engine="ctranslate2").translate(LINES, beam=1)
    small = heedful.load(prose_run, quantize="int8").translate(LINES, beam=1)
    same = sum(a.text == b.text for a, b in zip(exact, small, strict=True))
    assert same > 0.8 * len(LINES)
    assert any(a.score != b.score for a, b in zip(exact, small, strict=True))


def test_fewer_bits_are_never_quietly_32(prose_run: Path) -> None:
    with pytest.raises(RecipeError, match="engine ctranslate2 cannot do this"):
        heedful.load(prose_run, quantize="int8").translate(LINES[0], stop="exact")


def test_a_refusal_comes_before_anything_is_overwritten(
    prose_run: Path, tmp_path: Path, command: Command
) -> None:
    (tmp_path / "in").write_text("The cat sees the dog here.\n")
    (tmp_path / "out").write_text("precious")
    answer = command(
        "translate", prose_run, "--engine", "ctranslate2", "--stop", "exact",
        "--input", tmp_path / "in", "--output", tmp_path / "out",
    )  # fmt: skip
    assert is_told_briefly(answer)
    assert (tmp_path / "out").read_text() == "precious"
