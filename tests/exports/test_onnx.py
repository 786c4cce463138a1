"""Networks in ONNX: ONNX Runtime computes with them what heedful computes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import heedful
from heedful.batches import make_batch
from heedful.batches.batch import Batch
from heedful.engines.torch_engine import TorchEngine
from heedful.exports import onnx
from heedful.exports.export import export_model
from heedful.translator import Translator

from ..trained import TINY, Command, backwards, contents, is_told_briefly, sentences, write_pairs
from .onnx_model import OnnxModel

LINES = [source for source, _ in sentences()[380:]]
FORMS = [
    (),
    ("model.pre_norm=true", "model.n_layers=2"),
    ("model.pre_norm=true", 'model.positions="learned"', "model.activation=swish"),
    ("text.joint=false", 'model.tie="none"', "model.activation=gelu"),
    ("text.joint=false", 'model.tie="two"', "model.output_bias=true", "model.n_heads=4"),
]


def opened(run: Path, out: Path) -> tuple[Translator, OnnxModel]:
    """The model, and what was exported of it."""
    folder = export_model(run, out, to="onnx", quantize=None)
    return heedful.load(run, engine="torch"), OnnxModel(folder)


def searching(ours: Translator, theirs: OnnxModel) -> Translator:
    """heedful's search with ONNX Runtime's numbers."""
    engine = TorchEngine(theirs)
    tokenizers = ours.source_tokenizer, ours.target_tokenizer
    return Translator(ours.card, *tokenizers, engine=engine, open_torch=lambda: engine)


def trained(folder: Path, *settings: str, steps: int = 40, **options: Any) -> Path:
    """A model of some form."""
    heedful.train(
        out=folder / "run", **write_pairs(folder, sentences()).options, steps=steps, threads=1,
        set=(*TINY, "training.peak_rate=0.01", *settings), quiet=True, **options,
    )  # fmt: skip
    return folder / "run"


def some_pairs(ours: Translator) -> Batch:
    """Of several lengths on both sides."""
    pairs = [*sentences()[:7], ("The cat", "La kato amas"), ("a", "La kidon nun.")]
    return make_batch(
        [ours.source_tokenizer.encode(source) for source, _ in pairs],
        [ours.target_tokenizer.encode(target) for _, target in pairs],
    )


@torch.inference_mode()
def largest_difference(ours: Translator, theirs: OnnxModel) -> float:
    """Between the logits of all positions at once."""
    batch = some_pairs(ours)
    assert not batch.source_mask.all()
    memory = ours.model.encode(batch.source, batch.source_mask)
    mine = ours.model.output(ours.model.decode(batch.target_in, memory))
    other = theirs.decode(batch.target_in, theirs.encode(batch.source, batch.source_mask))
    assert mine.shape == other.shape
    return float((mine - other).abs().max())


@torch.inference_mode()
def by_steps(model: OnnxModel, batch: Batch, sizes: list[int]) -> torch.Tensor:
    """Logits of so many positions at a time, each time with what was kept."""
    memory = model.encode(batch.source, batch.source_mask)
    kept: dict[str, torch.Tensor] = {}
    found = []
    for part in torch.split(batch.target_in, sizes, dim=1):
        logits, kept = model.run(part.contiguous(), memory, kept)
        found.append(logits)
    return torch.cat(found, dim=1)


@pytest.mark.parametrize("settings", FORMS, ids=str)
def test_every_form_of_the_transformer(tmp_path: Path, settings: tuple[str, ...]) -> None:
    ours, theirs = opened(trained(tmp_path, *settings), tmp_path / "onnx")
    assert largest_difference(ours, theirs) < 1e-4
    expected = ours.translate(LINES, beam=4)
    found = searching(ours, theirs).translate(LINES, beam=4)
    assert [t.tokens for t in found] == [t.tokens for t in expected]
    assert [t.score for t in found] == pytest.approx([t.score for t in expected], abs=1e-4)


@pytest.mark.parametrize("way", [{"beam": 1}, {"beam": 4, "nbest": 4}, {"beam": 3, "alpha": 0.2}])
def test_the_same_translations(prose_run: Path, tmp_path: Path, way: dict[str, float]) -> None:
    ours, theirs = opened(prose_run, tmp_path / "onnx")
    for mine, other in zip(
        ours.translate(LINES, **way),
        searching(ours, theirs).translate(LINES, **way),
        strict=True,
    ):
        assert [t.text for t in mine.nbest] == [t.text for t in other.nbest]
        assert [t.score for t in mine.nbest] == pytest.approx(
            [t.score for t in other.nbest], abs=1e-4
        )


def test_steps_are_those_of_all_positions_at_once(prose_run: Path, tmp_path: Path) -> None:
    ours, theirs = opened(prose_run, tmp_path / "onnx")
    batch = some_pairs(ours)
    length = batch.target_in.shape[1]
    whole = by_steps(theirs, batch, [length])
    assert torch.allclose(by_steps(theirs, batch, [1] * length), whole, atol=1e-5)
    assert torch.allclose(by_steps(theirs, batch, [3, 1, length - 4]), whole, atol=1e-5)


def test_neither_padding_nor_the_future_is_seen(prose_run: Path, tmp_path: Path) -> None:
    ours, theirs = opened(prose_run, tmp_path / "onnx")
    batch = some_pairs(ours)
    before = by_steps(theirs, batch, [batch.target_in.shape[1]])
    source, target = batch.source.clone(), batch.target_in.clone()
    source[~batch.source_mask], target[:, 3:] = 5, 6
    other = replace(batch, source=source, target_in=target)
    after = by_steps(theirs, other, [batch.target_in.shape[1]])
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.equal(before[:, 3:], after[:, 3:])


def test_nothing_is_written_beyond_the_last_position(tmp_path: Path) -> None:
    ours, theirs = opened(trained(tmp_path, 'model.positions="learned"', steps=2), tmp_path / "x")
    longest = ours.card.max_length + 1
    memory = theirs.encode(torch.tensor([[5, 3]]), torch.ones(1, 2, dtype=torch.bool))
    _, kept = theirs.run(torch.full((1, longest), 5), memory, {})
    with pytest.raises(Exception, match="Gather"):
        theirs.run(torch.tensor([[5]]), memory, kept)


def test_words_that_began_with_vectors_of_another_width(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"{word} 0.5 -0.25 1 0 0.125\n" for word in ("The", "cat", "here")))
    run = trained(
        tmp_path, "text.joint=false", steps=5, source_tokens="words",
        source_embeddings=str(vectors),
    )  # fmt: skip
    ours, theirs = opened(run, tmp_path / "onnx")
    assert ours.model.embed_source.table.shape[1] == 5
    assert largest_difference(ours, theirs) < 1e-4


def test_what_is_inside(prose_run: Path, tmp_path: Path) -> None:
    onnx_folder = export_model(prose_run, tmp_path / "onnx", to="onnx", quantize=None)
    marian = export_model(prose_run, tmp_path / "hf", to="huggingface", quantize=None)
    inside, beside = contents(onnx_folder), contents(marian)
    assert inside.keys() - beside.keys() == {
        "onnx/encoder_model.onnx",
        "onnx/decoder_model_merged.onnx",
        "tokenizer.json",
    }
    del beside["model.safetensors"]
    config, marian_config = (json.loads(files.pop("config.json")) for files in (inside, beside))
    assert config.pop("transformers.js_config") == {"dtype": "fp32"}
    assert config == marian_config  # its vocabularies are one
    assert {name: inside[name] for name in beside} == beside
    # Else transformers 4, which looks into tokenizer.json too, shows the mark in translations.
    assert json.loads(inside["tokenizer_config.json"])["bos_token"] == "<s>"


def test_of_two_vocabularies_the_target_s_is_told(tmp_path: Path) -> None:
    """transformers 4 takes that of config.json for the width of the logits."""
    run = trained(tmp_path, "text.joint=false", steps=2)
    folder = export_model(run, tmp_path / "onnx", to="onnx", quantize=None)
    ours = heedful.load(run)
    assert len(ours.source_tokenizer) != len(ours.target_tokenizer)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["vocab_size"] == len(ours.target_tokenizer)
    assert not (folder / "tokenizer.json").exists()


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("model.attention=restricted", "restricted attention"),
        ("model.score=general", "scores by general"),
        ("model.d_k=5", "d_k = 5"),
        ("model.kind=luong", "this model is a luong"),
    ],
)
def test_what_it_cannot_express_is_refused(
    tmp_path: Path, command: Command, setting: str, reason: str
) -> None:
    sizes = TINY if "kind" not in setting else ("model.n_layers=1", "model.d_model=16")
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, backwards(60)).options, steps=2, threads=1,
        set=(*sizes, setting), quiet=True,
    )  # fmt: skip
    answer = command("export", tmp_path / "run", "--to", "onnx")
    assert is_told_briefly(answer)
    assert reason in answer.err
    assert not (tmp_path / "run-onnx").exists()


def test_fewer_bits_and_too_many_bytes_are_refused(
    prose_run: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = ("export", prose_run, "--to", "onnx", "--out", tmp_path / "x")
    answer = command(*ask, "--quantize", "int8")
    assert is_told_briefly(answer)
    assert "onnx stores 32 bits" in answer.err
    monkeypatch.setattr(onnx, "LARGEST", 1000)
    answer = command(*ask)
    assert is_told_briefly(answer)
    assert "the model is too large" in answer.err
    assert not list(tmp_path.iterdir())
