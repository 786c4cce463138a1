"""A MarianMT model, made by Hugging Face's own library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import torch

from ..trained import sentences


def learn(folder: Path, name: str, lines: list[str], size: int) -> list[str]:
    """A tokenizer as OPUS-MT has them: no padding, <unk> first; its pieces."""
    text = folder / "lines.txt"
    text.write_text("\n".join(lines), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(folder / name), vocab_size=size, hard_vocab_limit=False,
        minloglevel=2,
    )  # fmt: skip
    (folder / f"{name}.model").rename(folder / f"{name}.spm")
    (folder / f"{name}.vocab").unlink()
    text.unlink()
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{name}.spm"))
    return [processor.id_to_piece(n) for n in range(processor.get_piece_size())][3:]


def make(folder: Path, *languages: str) -> tuple[Path, Any]:
    """A folder of random weights, and the model itself. Its numbering is OPUS-MT's: the end first,
    then the unknown, and the padding, which the decoder begins with, last."""
    from transformers import MarianConfig, MarianMTModel

    pairs = sentences()
    pieces = learn(folder, "source", [s for s, _ in pairs], 60)
    pieces += learn(folder, "target", [t for _, t in pairs], 70)
    pieces = [*languages, *pieces[:-2]]  # two are no words of Marian's
    words = ["</s>", "<unk>", *dict.fromkeys(pieces), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({w: n for n, w in enumerate(words)}))
    config = MarianConfig(
        vocab_size=len(words), d_model=20, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=36,
        decoder_ffn_dim=36, activation_function="swish", static_position_embeddings=True,
        scale_embedding=True, max_position_embeddings=64, pad_token_id=len(words) - 1,
        eos_token_id=0, decoder_start_token_id=len(words) - 1, forced_eos_token_id=None,
        num_beams=4,
    )  # fmt: skip
    torch.manual_seed(7)
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        model.final_logits_bias.normal_()
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.normal_(std=0.3)
    model.save_pretrained(folder)
    told = {"source_lang": "en", "target_lang": "mul" if languages else "eo"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    return folder, model


@pytest.fixture(scope="package")
def marian(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """The folder, and the model itself."""
    return make(tmp_path_factory.mktemp("marian"))


@pytest.fixture(scope="package")
def several(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """One that writes two languages, as it is told by their words."""
    return make(tmp_path_factory.mktemp("several"), ">>deu<<", ">>fra<<")
