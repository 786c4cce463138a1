"""A folder for Hugging Face's transformers, which loads it itself, and computes what heedful does:
a MarianMT model of post-norm layers, a Pegasus or a Blenderbot one of pre-norm layers."""

from __future__ import annotations

import json
import unicodedata
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

import heedful
from heedful.batches import make_batch
from heedful.errors import RecipeError
from heedful.exports.export import export_model
from heedful.text.special import EOS
from heedful.translator import Translator

from ..trained import (
    LIKE_A_BUDGET,
    TINY,
    Command,
    Text,
    backwards,
    is_told_briefly,
    sentences,
    write_pairs,
)

LINES = [source for source, _ in sentences()[380:]]
TRICKY = [
    "  The cat", "The cat  ", "two  spaces", "日本 😀", "ﬁ ½ ʰ", "a\tb", "",
    "The <s> cat</s>", "caf\u00e9", unicodedata.normalize("NFD", "café 한국어"),
]  # fmt: skip


def opened(folder: Path) -> tuple[Any, Any]:
    """By transformers, from the folder alone."""
    with warnings.catch_warnings():
        # sacremoses is for text that was cut by Moses, which ours is not
        warnings.filterwarnings("ignore", "Recommended: pip install sacremoses")
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return model.eval(), tokenizer


def largest_difference(ours: Translator, theirs: Any, folder: Path, targets: list[str]) -> float:
    """Between the logits."""
    batch = make_batch(
        [ours.source_tokenizer.encode(line) for line in LINES[: len(targets)]],
        [ours.target_tokenizer.encode(target) for target in targets],
    )
    ids = exported_ids(ours, folder)
    with torch.inference_mode():
        memory = ours.model.encode(batch.source, batch.source_mask)
        mine = ours.model.output(ours.model.decode(batch.target_in, memory))
        other = theirs(
            input_ids=batch.source,
            attention_mask=batch.source_mask.long(),
            decoder_input_ids=ids[batch.target_in],
        ).logits
    return float((mine - other[..., ids]).abs().max())


def exported_ids(ours: Translator, folder: Path) -> torch.Tensor:
    """Those of the target's tokens, in heedful's order."""
    names = ("target_vocab.json", "vocab.json")
    path = next(folder / name for name in names if (folder / name).exists())
    ids = json.loads(path.read_text(encoding="utf-8"))
    return torch.tensor([ids[piece] for piece in ours.target_tokenizer.vocabulary])


def test_same_logits_and_same_translations(prose_run: Path, tmp_path: Path) -> None:
    ours = heedful.load(prose_run, engine="torch")
    folder = export_model(prose_run, tmp_path / "hf", to="huggingface", quantize=None)
    theirs, tokenizer = opened(folder)
    assert type(theirs).__name__ == "MarianMTModel"
    search = theirs.generation_config
    assert search.renormalize_logits  # as heedful shares what may not be written
    assert search.max_length == ours.card.max_length + 2  # with both marks
    assert not search.early_stopping  # a small vocabulary wants patience
    assert largest_difference(ours, theirs, folder, [t for _, t in sentences()[:9]]) < 1e-4
    assert_same_translations(ours, theirs, tokenizer)


def assert_same_translations(ours: Translator, theirs: Any, tokenizer: Any) -> None:
    """Of a beam and of greedy search."""
    inputs = tokenizer(LINES, return_tensors="pt", padding=True)
    for beam in (1, 4):
        found = theirs.generate(**inputs, num_beams=beam, early_stopping=beam > 1)
        texts = [tokenizer.decode(ids, skip_special_tokens=True) for ids in found]
        assert texts == [t.text for t in ours.translate(LINES, beam=beam, patience=1)]


@pytest.mark.parametrize("beam", [1, 4])
def test_what_does_not_end_is_cut_behind_the_same_token(
    prose_run: Path, tmp_path: Path, beam: int
) -> None:
    """Neither of them makes the last one an end."""
    ours = heedful.load(prose_run, engine="torch")
    theirs, tokenizer = opened(
        export_model(prose_run, tmp_path / "hf", to="huggingface", quantize=None)
    )
    most = ours.card.max_length + 1  # the words of the longest sentence, and its end
    expected = ours.translate(LINES, beam=beam, max_length=most, min_length=most)
    assert {len(t.tokens) for t in expected} == {most}
    inputs = tokenizer(LINES, return_tensors="pt", padding=True)
    found = theirs.generate(**inputs, num_beams=beam, early_stopping=beam > 1, min_new_tokens=most)
    assert [tokenizer.convert_ids_to_tokens(ids[1:]) for ids in found] == [
        list(t.tokens) for t in expected
    ]


def test_pre_norm_layers_as_pegasus(pre_norm_run: Path, tmp_path: Path) -> None:
    ours = heedful.load(pre_norm_run, engine="torch")
    folder = export_model(pre_norm_run, tmp_path / "hf", to="huggingface", quantize=None)
    theirs, tokenizer = opened(folder)
    assert type(theirs).__name__ == "PegasusForConditionalGeneration"
    assert theirs.generation_config.forced_eos_token_id is None
    assert largest_difference(ours, theirs, folder, [t for _, t in sentences()[:9]]) < 1e-4
    assert_same_translations(ours, theirs, tokenizer)
    for text in [*LINES, *TRICKY]:
        assert tokenizer(text).input_ids == [*ours.source_tokenizer.encode(text), EOS]


def test_the_file_holds_all_weights_of_pegasus(pre_norm_run: Path, tmp_path: Path) -> None:
    """transformers would warn of weights that it has to initialise."""
    from transformers import AutoModelForSeq2SeqLM

    folder = export_model(pre_norm_run, tmp_path / "hf", to="huggingface", quantize=None)
    _, report = AutoModelForSeq2SeqLM.from_pretrained(folder, output_loading_info=True)
    assert not any(report.values()), report


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        (('model.positions="learned"', "model.output_bias=true"), "Blenderbot"),
        (("text.joint=false", 'model.activation="gelu"'), "Pegasus"),
        (("text.joint=false", 'model.tie="none"', "model.output_bias=true"), "Pegasus"),
        (("text.joint=false", 'model.positions="learned"', "model.activation=swish"), "Blenderbot"),
    ],
)
def test_other_pre_norm_models(
    prose_text: Text, tmp_path: Path, changes: tuple[str, ...], name: str
) -> None:
    heedful.train(
        out=tmp_path / "run", **prose_text.options, steps=100, threads=1, quiet=True,
        set=(*LIKE_A_BUDGET, *changes),
    )  # fmt: skip
    ours = heedful.load(tmp_path / "run", engine="torch")
    folder = export_model(tmp_path / "run", tmp_path / "hf", to="huggingface", quantize=None)
    theirs, tokenizer = opened(folder)
    assert type(theirs).__name__ == f"{name}ForConditionalGeneration"
    assert largest_difference(ours, theirs, folder, [t for _, t in sentences()[:9]]) < 1e-4
    assert_same_translations(ours, theirs, tokenizer)
    for text, target in sentences()[:20]:
        assert tokenizer(text).input_ids == [*ours.source_tokenizer.encode(text), EOS]
        written = tokenizer(text_target=target).input_ids
        assert tokenizer.decode(written, skip_special_tokens=True) == target


def test_separate_vocabularies_and_tables(tmp_path: Path) -> None:
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, sentences()).options, steps=3, threads=1,
        set=(*TINY, "text.joint=false", 'model.tie="none"'), quiet=True,
    )  # fmt: skip
    ours = heedful.load(tmp_path / "run", engine="torch")
    folder = export_model(tmp_path / "run", tmp_path / "hf", to="huggingface", quantize=None)
    theirs, tokenizer = opened(folder)
    assert largest_difference(ours, theirs, folder, ["La kato amas", "La"]) < 1e-4
    assert tokenizer(LINES[0]).input_ids == [*ours.source_tokenizer.encode(LINES[0]), 3]
    written = ours.target_tokenizer.encode("La kato amas la kidon.")
    assert tokenizer.decode(written, skip_special_tokens=True) == "La kato amas la kidon."


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ('model.positions="learned"', "model.pre_norm = true"),
        ("model.d_k=5", "d_k = 5"),
    ],
)
def test_what_cannot_be_expressed_is_refused(
    tmp_path: Path, command: Command, setting: str, reason: str
) -> None:
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, backwards(60)).options, steps=2, threads=1,
        set=(*TINY, setting), quiet=True,
    )  # fmt: skip
    answer = command("export", tmp_path / "run", "--to", "huggingface")
    assert is_told_briefly(answer)
    assert reason in answer.err
    assert not [p for p in tmp_path.iterdir() if "huggingface" in p.name]
    with pytest.raises(RecipeError, match="cannot be exported"):
        export_model(tmp_path / "run", None, to="huggingface", quantize=None)


def test_an_existing_folder_is_left_alone(
    prose_run: Path, tmp_path: Path, command: Command
) -> None:
    (tmp_path / "there").mkdir()
    answer = command("export", prose_run, "--to", "huggingface", "--out", tmp_path / "there")
    assert is_told_briefly(answer)
    assert list((tmp_path / "there").iterdir()) == []
