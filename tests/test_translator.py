"""One line through all of it; and whatever a line may hold."""

from __future__ import annotations

import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heedful
from heedful.decoding.patience import usual_patience
from heedful.errors import InputError, RecipeError
from heedful.planning import Translation
from heedful.translator import Translator

from .trained import TINY, contents, sentences, write_pairs

ONE = "The cat sees the dog here."
TWO = "The bird loves the child now."


def test_one_text_or_many(prose: Translator) -> None:
    one = prose.translate(ONE)
    assert isinstance(one, Translation)
    assert one.text
    assert one.score < 0
    assert prose.target_tokenizer.decode(prose.target_tokenizer.encode(one.text)) == one.text
    assert "".join(one.tokens).replace("▁", " ").strip() == one.text
    many = prose.translate([ONE, TWO, ONE])
    assert [t.tokens for t in many] == [one.tokens, prose.translate(TWO).tokens, one.tokens]
    assert many[2].score == pytest.approx(one.score, rel=1e-4)
    assert prose.translate([]) == []
    assert prose.translate(iter([ONE])) == [one]


def test_a_model_shows_itself_in_a_few_lines(prose: Translator) -> None:
    card = prose.card
    assert repr(prose).split("\n  ") == [
        "Translator(transformer: 1+1 layers, d_model 32, d_ff 64, 2 heads, post-norm",
        "en → eo",
        f"vocabulary {card.source_vocabulary} (subwords → subwords), "
        f"sentences of up to {card.max_length} tokens",
        "engine ctranslate2 (torch for what it cannot do)",
        f"BLEU {card.scores['bleu']}, chrF {card.scores['chrf']}, loss {card.scores['loss']} "
        f"on 10 lines)",
    ]


def test_a_translation_shows_its_text_and_score() -> None:
    one = Translation("Ein Hund.", -0.123456, ("▁Ein", "▁Hund", "."))
    assert repr(one) == "Translation('Ein Hund.', score=-0.1235)"
    several = Translation("Ein Hund.", -0.123456, ("▁Ein", "▁Hund", "."), nbest=(one, one))
    assert repr(several) == "Translation('Ein Hund.', score=-0.1235, nbest of 2)"


def test_it_has_learnt_something(prose: Translator) -> None:
    pairs = sentences()[:400]
    found = prose.translate([s for s, _ in pairs])
    right = sum(f.text.split()[2] == t.split()[2] for f, (_, t) in zip(found, pairs, strict=True)
                if len(f.text.split()) > 2)  # fmt: skip
    assert right > 200  # of four verbs, by chance 100


def test_order_is_kept_whatever_the_lengths(prose: Translator) -> None:
    lines = [" ".join([ONE] * (i % 4)) for i in range(20)]
    together = [t.text for t in prose.translate(lines, batch_tokens=64)]
    assert together == [prose.translate(line).text for line in lines]


@pytest.mark.parametrize("empty", ["", " ", "\t", "\u3000\u2028"])
def test_empty_lines_stay_empty(prose: Translator, empty: str) -> None:
    assert prose.translate([empty, ONE])[0] == Translation("", 0.0, ())


def test_sentences_are_translated_one_by_one(prose: Translator) -> None:
    one, two = prose.translate(ONE), prose.translate(TWO)
    both = prose.translate(f"{ONE}  {TWO}")
    assert both.text == f"{one.text}  {two.text}"
    assert both.tokens == one.tokens + two.tokens
    whole = prose.translate("La kato. La biro.", split_sentences=False)
    parts = [prose.translate(part) for part in ("La kato.", "La biro.")]
    assert whole.tokens != parts[0].tokens + parts[1].tokens


def test_a_line_longer_than_the_model_can_hold(prose: Translator) -> None:
    line = "cat " * 300
    cuts: list[tuple[int, str]] = []
    found = prose.translate(line, on_cut=lambda *cut: cuts.append(cut))
    longest = prose.card.max_length
    assert cuts == [(0, f"a sentence is longer than {longest} tokens: translated in pieces")]
    assert len(found.tokens) > longest


def test_characters_are_cut_and_it_is_said(chars: Translator) -> None:
    cuts: list[tuple[int, str]] = []
    found = chars.translate(["abc", "a" * 50], on_cut=lambda *cut: cuts.append(cut))
    assert cuts == [(1, "cut: 50 tokens, the model holds 8")]
    with pytest.warns(UserWarning, match="^line 2: cut: 50 tokens, the model holds 8$"):
        chars.translate(["abc", "a" * 50])
    assert found[1].text == chars.translate("a" * 8).text


def test_the_best_come_first(prose: Translator) -> None:
    found = prose.translate(ONE, nbest=3)
    assert len(found.nbest) == 3
    assert (found.nbest[0].text, found.nbest[0].score) == (found.text, found.score)
    scores = [option.score for option in found.nbest]
    assert scores == sorted(scores, reverse=True)
    assert len({option.tokens for option in found.nbest}) == 3
    assert prose.translate(ONE).nbest == ()
    assert len(prose.translate(ONE, nbest=6).nbest) == 6  # wider than the model's own beam


def test_a_wider_beam_finds_no_less_likely_a_translation(prose: Translator) -> None:
    lines = [s for s, _ in sentences()[400:]]
    plain = {"alpha": 0, "normalise": "length"}
    greedy = prose.translate(lines, beam=1, **plain)
    wide = prose.translate(lines, beam=8, stop="exact", **plain)
    rounding = 1e-5 * len(lines)  # two engines may find the same and add it up differently
    assert sum(t.score for t in wide) >= sum(t.score for t in greedy) - rounding


def test_sampling_is_seeded(prose: Translator) -> None:
    def draw(seed: int, **options: float) -> list[str]:
        found = prose.translate([ONE, TWO], sample=True, seed=seed, **options)
        return [t.text for t in found]

    assert draw(1, temperature=3.0) == draw(1, temperature=3.0)
    assert len({tuple(draw(seed, temperature=3.0)) for seed in range(5)}) > 1
    greedy = [t.text for t in prose.translate([ONE, TWO], beam=1)]
    assert draw(1, top_k=1) == greedy
    assert draw(2, temperature=1e-4) == greedy


def test_a_translation_begins_with_its_prefix(prose: Translator) -> None:
    assert prose.translate(ONE, prefix="La hundo").text.startswith("La hundo")
    found = prose.translate([ONE, TWO], prefix=["La fem", ""])
    assert found[0].text.startswith("La fem")
    assert found[1].text == prose.translate(TWO).text


@pytest.mark.parametrize("prefixes", [[], ["x"], ["x", "y", "z"]])
def test_prefixes_are_as_many_as_lines(prose: Translator, prefixes: list[str]) -> None:
    with pytest.raises(RecipeError, match=f"{len(prefixes)} prefixes for 2 lines"):
        prose.translate([ONE, TWO], prefix=prefixes)


@pytest.mark.parametrize("prefix", [5, [5, "x"], b"La"])
def test_only_text_can_be_a_prefix(prose: Translator, prefix: Any) -> None:
    with pytest.raises(InputError, match=r"got .* as a prefix; a text, or one for each line"):
        prose.translate([ONE, TWO], prefix=prefix)


def test_prefixes_may_come_one_by_one(prose: Translator) -> None:
    found = prose.translate([ONE, TWO], prefix=(begun for begun in ("La fem", "")))
    assert found[0].text.startswith("La fem")
    assert found[1].text == prose.translate(TWO).text


@pytest.mark.parametrize("kept", ["cat", ["cat"], iter(["cat"])])
def test_one_term_or_many_are_kept(prose: Translator, kept: Any) -> None:
    found = prose.translate([ONE, TWO.replace("bird", "cat")], keep=kept)
    assert ["cat" in line.text.split() for line in found] == [True, True]


def test_a_glossary_has_pairs(prose: Translator) -> None:
    with pytest.raises(InputError, match="terms and what they are called are wanted"):
        prose.translate(ONE, glossary=["cat"])


@pytest.mark.parametrize("what", [5, None, b"x", [ONE, None]])
def test_only_text_can_be_translated(prose: Translator, what: Any) -> None:
    with pytest.raises(InputError, match=r"got .* to translate; a text, or several, is wanted"):
        prose.translate(what)


def test_lengths_are_kept(prose: Translator) -> None:
    assert len(prose.translate(ONE, max_length=3).tokens) <= 3
    assert len(prose.translate("cat", min_length=17, max_length=19).tokens) >= 17


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"beem": 3}, r"unknown option 'beem' \(did you mean 'beam'\?\)"),
        ({"beam": 0}, "beam = 0"),
        ({"nbest": 0}, "nbest = 0: a whole number from 1 to 1,000 is wanted"),
        ({"nbest": "2"}, "nbest = '2': a whole number"),
        ({"nbest": 1001}, "nbest = 1001: a whole number"),
        ({"beam": 100_000_000}, "beam = 100000000: input should be less than or equal to 1000"),
        ({"alpha": 1e300}, r"alpha = 1e\+300: input should be less than or equal to 10"),
        ({"temperature": 1e-300}, "temperature = 1e-300: input should be greater than"),
        ({"temperature": 1e300}, r"temperature = 1e\+300: input should be less than"),
        ({"max_length": 10**30}, "max_length = 10+: input should be less than"),
        ({"batch_tokens": 10**30}, "batch_tokens = 10+: input should be less than"),
        ({"nbest": 3, "beam": 2}, "3 translations of one text want a beam as wide, but beam = 2"),
        ({"temperature": 0}, "temperature = 0"),
        ({"patience": 0.5}, "patience = 0.5: input should be greater than or equal to 1"),
        ({"top_p": 1.5}, "top_p = 1.5"),
        ({"min_length": 5, "max_length": 2}, "min_length = 5 is above max_length = 2"),
        ({"stop": "never"}, "stop = 'never'"),
    ],
)
def test_options_are_checked(prose: Translator, options: dict[str, object], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        prose.translate(ONE, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 10, "stop": "exact", "min_length": 1900, "max_length": 2000},
        {"alpha": 10, "normalise": "gnmt"},
        {"sample": True, "temperature": 1e-4, "top_p": 1e-9},
        {"sample": True, "temperature": 1e4},
        {"beam": 1000, "max_length": 3},
        {"beam": 1000, "max_length": 3, "stop": "exact"},
        {"nbest": 1000, "max_length": 3},
        {"batch_tokens": 1_000_000_000},
    ],
    ids=str,
)
def test_options_at_their_bounds(prose: Translator, options: dict[str, Any]) -> None:
    found = prose.translate(f"{ONE} {TWO}", **options)
    assert math.isfinite(found.score)
    assert found.text


def test_recording_attention_changes_nothing(prose: Translator) -> None:
    before = prose.translate(ONE)
    record = prose.attend(ONE)
    assert prose.translate(ONE) == before
    assert record.target == before.text
    kinds = {(a.kind, a.layer) for a in record.attentions}
    assert kinds == {("encoder", 1), ("decoder", 1), ("cross", 1)}
    for attention in record.attentions:
        assert attention.n_heads == 2
        np.testing.assert_allclose(attention.weights.sum(-1), 1, atol=1e-5)
    future = np.triu(record.get("decoder", 1).weights[0], k=1)
    assert (future == 0).all()


def test_patience_is_chosen_for_the_model(prose: Translator) -> None:
    usual = usual_patience(len(prose.target_tokenizer.vocabulary), prose.card.max_length)
    assert usual > 1
    assert prose.card.decoding.patience is None
    assert prose.settings().patience == prose.settings(nbest=9).patience == usual
    assert prose.planner.plan([ONE], beam=2).task.config.patience == usual
    assert prose.settings(patience=1.5).patience == 1.5


def test_attention_can_be_asked_for_a_given_target(prose: Translator) -> None:
    record = prose.attend(ONE, "La hundo.")
    assert record.target == "La hundo."
    with pytest.raises(InputError, match="the source has 0 tokens"):
        prose.attend("", "La hundo.")


@pytest.fixture
def model_folder(prose_run: Path, tmp_path: Path) -> Path:
    """The model alone, without CTranslate2's copy of it."""
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.model"):
        shutil.copy(prose_run / name, folder)
    return folder


def state(folder: Path) -> tuple[dict[str, bytes], list[int]]:
    """What lies in it, and when it was written."""
    return contents(folder), [p.stat().st_mtime_ns for p in sorted(folder.iterdir())]


def test_a_model_folder_is_only_read(model_folder: Path) -> None:
    before = state(model_folder)
    heedful.load(str(model_folder), engine="torch").translate([ONE, TWO], nbest=2)
    assert state(model_folder) == before


def test_a_model_folder_may_be_read_only(
    model_folder: Path, prose: Translator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CTranslate2's copy then lies in the user's cache, and nobody needs to say so."""
    tried: list[Path] = []
    make = tempfile.mkdtemp

    def refuse(*, prefix: str, dir: Path) -> str:  # noqa: A002 - mkdtemp names it so
        tried.append(dir)
        if dir == model_folder:  # root may write everywhere, so the system would not say it
            raise PermissionError(13, "Permission denied", str(dir))
        return make(prefix=prefix, dir=str(dir))

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = state(model_folder)
    found = heedful.load(model_folder, threads=1).translate([ONE, TWO], nbest=2)
    assert found == prose.translate([ONE, TWO], nbest=2)
    assert state(model_folder) == before
    assert tried[0] == model_folder
    assert list((tmp_path / "cache").rglob("model.bin"))


def test_a_model_folder_that_may_be_written_gets_a_copy_and_no_other_change(
    model_folder: Path, prose: Translator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = contents(model_folder)
    found = heedful.load(model_folder, threads=1).translate([ONE, TWO])
    assert found == prose.translate([ONE, TWO])
    after = contents(model_folder)
    assert {name: after.pop(name) for name in before} == before
    assert {Path(name).parts[0] for name in after} == {"ctranslate2"}
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"engine": "onnx"}, "engine 'onnx' is not known: take one of auto, torch, ctranslate2"),
        ({"device": "tpu"}, "device 'tpu' is not known: take one of auto, cpu, cuda, mps"),
        ({"quantize": "int3"}, "quantize 'int3' is not known: take one of int8, int8_float32, "),
        ({"engine": "torch", "quantize": "int3"}, "quantize 'int3' is not known"),
        ({"engine": "torch", "quantize": "int8"}, "quantize = 'int8' cannot be used: torch is ask"),
        ({"device": "mps", "quantize": "int8"}, "quantize = 'int8' cannot be used: .*device mps"),
        ({"device": "mps", "engine": "ctranslate2"}, "engine ctranslate2 cannot be .*device mps"),
        ({"threads": 100_000}, "threads = 100000: a whole number from 1 to 1,024 is wanted"),
        ({"threads": "2"}, "threads = '2'"),
    ],
)
def test_how_to_load_is_checked(model_folder: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(heedful.HeedfulError, match=told):
        heedful.load(model_folder, **options)
    assert not (model_folder / "ctranslate2").exists()


def test_numbers_that_the_machine_lacks_are_told(
    model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctranslate2.get_supported_compute_types", lambda device: {"float32"})
    told = "quantize = 'int8' cannot be used: on this machine's cpu CTranslate2 computes with float"
    with pytest.raises(heedful.HeedfulError, match=told):
        heedful.load(model_folder, device="cpu", quantize="int8")


def test_learned_positions_have_an_end(tmp_path: Path) -> None:
    """Which no option may overstep: a translation is held within it."""
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, sentences()[:50]).options, steps=1,
        quiet=True, set=(*TINY, "model.positions=learned"),
    )  # fmt: skip
    translator = heedful.load(tmp_path / "run")
    with pytest.warns(UserWarning, match="translated in pieces"):
        long = translator.translate("cat " * 100, beam=2)
    end = translator.card.max_length + 1  # as many positions as there are
    assert len(long.tokens) > end
    for options in ({"min_length": 90, "max_length": 100}, {"min_length": 90}):
        for beam in (1, 2):
            assert len(translator.translate(ONE, beam=beam, **options).tokens) == end


def test_a_prefix_of_unknown_words(tmp_path: Path) -> None:
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, sentences()[:50]).options, steps=1,
        quiet=True, set=TINY, source_tokens="words", target_tokens="words",
    )  # fmt: skip
    translator = heedful.load(tmp_path / "run")
    with pytest.raises(InputError, match="prefix 'Zebro amas' has words"):
        translator.translate(["zebra", ONE], prefix="Zebro amas")


WILD = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(codec=None), max_size=20),  # lone surrogates too
    st.text("\0\x01\x1b\x7f\x85\r\n\t \u2028\u200d\ufeff▁", max_size=20),
    st.text("שלום عليكم 👩‍👧🏽é́́.!? 。", max_size=60),
    st.builds(lambda text, n: text * n, st.text(min_size=1, max_size=5), st.integers(1, 400)),
)


@given(st.lists(WILD, max_size=3))
@settings(deadline=None, max_examples=30, derandomize=True)
def test_any_text_has_a_translation(prose: Translator, lines: list[str]) -> None:
    found = prose.translate(lines, beam=2, on_cut=lambda line, reason: None)
    assert len(found) == len(lines)
    for line, translation in zip(lines, found, strict=True):
        assert isinstance(translation.text, str)
        assert np.isfinite(translation.score)
        assert line.strip() or not translation.text
