"""Translations that must contain something do, and are the best of those."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import heedful
from heedful.text.special import UNK
from heedful.translator import Translator

from ..trained import TINY, Text, sentences

LINES = [source for source, _ in sentences()[:24]]


def has_word(text: str, word: str) -> bool:
    """By itself, not as a part of another."""
    return re.search(rf"(?<!\w){word}(?!\w)", text) is not None


@pytest.fixture(scope="module")
def rnn_run(prose_text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that looks at nothing."""
    out = tmp_path_factory.mktemp("rnn") / "run"
    heedful.train(
        out=out, **prose_text.options, model="rnn", steps=150, threads=1, quiet=True,
        set=("model.n_layers=1", "model.d_model=32", "training.batch_tokens=1024"),
    )  # fmt: skip
    return out


@pytest.fixture(scope="module", params=["transformer", "rnn"])
def torch_prose(request: pytest.FixtureRequest, prose_run: Path, rnn_run: Path) -> Translator:
    """One puts terms where its words look, the other searches for translations with them."""
    run = prose_run if request.param == "transformer" else rnn_run
    return heedful.load(run, engine="torch", threads=1)


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("called", ["gat", "hejma besto", "zzz-99"])
def test_a_term_stands_in_every_sentence_that_has_it(
    torch_prose: Translator, called: str, beam: int
) -> None:
    found = torch_prose.translate(LINES, beam=beam, glossary={"cat": called, "dog": "hundego"})
    for line, translation in zip(LINES, found, strict=True):
        assert ("cat" in line) <= has_word(translation.text, called)
        assert ("dog" in line) <= has_word(translation.text, "hundego")


def test_sentences_without_a_term_are_left_alone(torch_prose: Translator) -> None:
    plain = torch_prose.translate(LINES)
    found = torch_prose.translate(LINES, glossary={"cat": "zzz"})
    assert any("cat" in line for line in LINES)
    for line, one, other in zip(LINES, plain, found, strict=True):
        assert ("cat" in line) == (one.text != other.text)


def test_what_is_there_anyway_costs_nothing(torch_prose: Translator) -> None:
    plain = torch_prose.translate(LINES)
    for line, one in zip(LINES, plain, strict=True):
        term, called = line.split()[1], one.text.split()[1]
        if line.count(term) > 1:  # the other is in the accusative
            continue
        again = torch_prose.translate(line, glossary={term: called})
        assert again.text == one.text
        assert again.score == pytest.approx(one.score, abs=1e-5)


def test_numbers_and_addresses_are_copied(torch_prose: Translator) -> None:
    for line, kept in (("The 42.", "42"), ("The {x}.", "{x}")):
        assert kept not in torch_prose.translate(line).text
        assert kept in torch_prose.translate(line, copy=True).text


def test_what_the_model_has_no_tokens_for_is_put_in(tmp_path: Path, prose_text: Text) -> None:
    """A model of words knows no others."""
    heedful.train(
        out=tmp_path / "run", **prose_text.options, source_tokens="words", target_tokens="words",
        steps=5, threads=1, set=TINY, quiet=True,
    )  # fmt: skip
    words = heedful.load(tmp_path / "run", threads=1)
    assert UNK in words.target_tokenizer.encode("42")
    assert "42" not in words.translate("The cat sees 42 dogs.").text
    assert "42" in words.translate("The cat sees 42 dogs.", copy=True).text.split()
    assert words.translate(LINES, copy=True) == words.translate(LINES)


def test_the_same_in_any_batch(torch_prose: Translator) -> None:
    glossary = {"cat": "besto", "dog": "hundego", "bird": "flugilulo"}
    together = torch_prose.translate(LINES, glossary=glossary)
    alone = [torch_prose.translate(line, glossary=glossary) for line in LINES]
    assert [t.text for t in together] == [t.text for t in alone]


def test_fast_engine_first(prose: Translator) -> None:
    """CTranslate2 translates; torch is asked only for what lacks something."""
    found = prose.translate(LINES, glossary={"cat": "besto"})
    assert all(("cat" in line) <= ("besto" in t.text) for line, t in zip(LINES, found, strict=True))


def test_it_is_better_than_putting_the_term_anywhere(torch_prose: Translator) -> None:
    """The search finds a place: what it writes is likelier than the term in front."""
    line = next(line for line in LINES if line.startswith("The cat"))
    forced = torch_prose.translate(line, glossary={"cat": "hundo"})
    in_front = torch_prose.translate(line, prefix="hundo")
    ids = torch_prose.target_tokenizer.encode(forced.text)
    assert forced.text.count("hundo") >= 1
    assert len(ids) > 3
    assert forced.text != in_front.text
