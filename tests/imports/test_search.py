"""A folder's own search settings become the run's."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import heedful
from heedful.errors import InputError
from heedful.exports.export import export_model
from heedful.imports.marian import import_marian
from heedful.imports.search import Search
from heedful.model_folder.card import read_card

from ..trained import sentences

LINES = [source for source, _ in sentences()[:40]]


@pytest.fixture
def folder(marian: tuple[Path, Any], tmp_path: Path) -> Path:
    shutil.copytree(marian[0], tmp_path / "theirs")
    return tmp_path / "theirs"


def settings_of_opus(folder: Path, **more: Any) -> dict[str, Any]:
    """As OPUS-MT's folders have them, of a model of fewer positions."""
    pad = json.loads((folder / "vocab.json").read_text("utf-8"))["<pad>"]
    told = {
        "bad_words_ids": [[pad]], "bos_token_id": 0, "decoder_start_token_id": pad,
        "eos_token_id": 0, "forced_eos_token_id": 0, "max_length": 64, "num_beams": 6,
        "pad_token_id": pad, "renormalize_logits": True,
    } | more  # fmt: skip
    (folder / "generation_config.json").write_text(json.dumps(told), encoding="utf-8")
    return told


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
@pytest.mark.parametrize("engine", ["torch", "ctranslate2"])
def test_the_same_translations_by_its_own_settings(
    prose_run: Path, tmp_path: Path, engine: Any
) -> None:
    """Of a model that has learnt to end its sentences. Nothing is told to either of them."""
    from transformers import MarianMTModel, MarianTokenizer

    folder = export_model(prose_run, tmp_path / "theirs", to="huggingface", quantize=None)
    settings_of_opus(folder, max_length=512, eos_token_id=3, forced_eos_token_id=3,
                     decoder_start_token_id=2)  # fmt: skip
    theirs = MarianMTModel.from_pretrained(folder).eval()
    tokenizer = MarianTokenizer.from_pretrained(folder)
    ids = theirs.generate(**tokenizer(LINES, return_tensors="pt", padding=True))
    import_marian(folder, tmp_path / "run")
    ours = heedful.load(tmp_path / "run", engine=engine, threads=1)
    assert ours.card.decoding.beam == 6
    assert [t.text for t in ours.translate(LINES)] == [
        tokenizer.decode(row, skip_special_tokens=True) for row in ids
    ]


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({}, {"beam": 6, "alpha": None, "stop": "first", "max_length": None}),
        ({"length_penalty": 0.6, "num_beams": 1}, {"beam": 1, "alpha": 0.6}),
        ({"early_stopping": "never"}, {"stop": "exact"}),
        ({"max_length": 30}, {"max_length": 29}),
        ({"max_new_tokens": 30}, {"max_length": 30}),
        ({"do_sample": True, "temperature": 0.7, "top_k": 5}, {"sample": True, "top_k": 5}),
        ({"do_sample": True}, {"sample": True, "top_k": 50}),
        ({"do_sample": True, "top_k": None}, {"sample": True, "top_k": 50}),
        ({"do_sample": True, "top_k": 0}, {"sample": True, "top_k": None}),
    ],
)
def test_what_can_be_expressed_is_kept(
    folder: Path, told: dict[str, Any], found: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    settings_of_opus(folder, **told)
    import_marian(folder, folder.parent / "run")
    decoding = read_card(folder.parent / "run").decoding
    assert decoding.model_dump().items() >= found.items()
    assert "do not have" not in capsys.readouterr().out


def test_what_cannot_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings_of_opus(folder, no_repeat_ngram_size=3, bad_words_ids=[[5, 6]], repetition_penalty=1.0)
    import_marian(folder, folder.parent / "run")
    assert (
        "do not have no_repeat_ngram_size = 3, bad_words_ids = [[5, 6]], which its own"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("name", "value", "neutral"),
    [
        ("no_repeat_ngram_size", 1, 0),
        ("encoder_no_repeat_ngram_size", 1, 0),
        ("forced_bos_token_id", 0, None),
        ("forced_bos_token_id", 1, None),
        ("min_new_tokens", 1, 0),
        ("min_length", 2, 1),
        ("diversity_penalty", 1.0, 0.0),
        ("typical_p", 0, 1.0),
        ("suppress_tokens", [0], []),
    ],
)
def test_each_has_its_own_value_that_asks_for_nothing(
    folder: Path, name: str, value: Any, neutral: Any
) -> None:
    settings_of_opus(folder, bad_words_ids=[], **{name: value})
    assert Search(folder).left_out([]) == [f"{name} = {value!r}"]
    settings_of_opus(folder, bad_words_ids=[], **{name: neutral})
    assert Search(folder).left_out([]) == []


@pytest.mark.parametrize("words", [5, [5], "no", [[]], [["a"]], {"5": 6}])
def test_words_that_are_none_are_told(folder: Path, words: Any) -> None:
    settings_of_opus(folder, bad_words_ids=words)
    with pytest.raises(InputError, match="a list of lists of tokens' numbers is wanted"):
        import_marian(folder, folder.parent / "run")
    assert not (folder.parent / "run").exists()
