"""What other software can express of a model, and why not the rest. Needs no torch, no numpy."""

from __future__ import annotations

from heedful.model_folder.card import Card
from heedful.models.config import TransformerConfig

FEWEST_POSITIONS = 1024
"""Positions are stored one by one; sinusoids cost little, so there may be some to spare."""


def ctranslate2_refusal(card: Card) -> str | None:
    """Why CTranslate2 cannot express a model; None if it can."""
    return _transformer_refusal(card, "CTranslate2")


def huggingface_refusal(card: Card) -> str | None:
    """Why no model of Hugging Face's transformers can express a model; None if one can."""
    general = _transformer_refusal(card, "Hugging Face's library")
    if general is not None:
        return general
    model = transformer_of(card)
    if model.positions != "sinusoidal" and not model.pre_norm:
        return (
            f"Hugging Face's library has post-norm layers with sinusoidal positions only "
            f"(MarianMT), and this model has {model.positions} ones: train it with "
            f'model.pre_norm = true, or with model.positions = "sinusoidal"'
        )
    return None


def onnx_refusal(card: Card) -> str | None:
    """Why our networks in ONNX cannot express a model; None if they can."""
    return _shape_refusal(card, "the export to ONNX")


def argos_refusal(card: Card) -> str | None:
    """Why Argos Translate cannot express a model; None if it can."""
    general = _transformer_refusal(card, "Argos Translate")
    if general is not None:
        return general
    kinds = {card.text.source_tokens, card.text.target_tokens}
    if kinds != {"subwords"} or card.tokenizers["source"] != card.tokenizers["target"]:
        return (
            "Argos Translate has one vocabulary of subwords for both sides, and this model has "
            "two: train it with text.joint = true"
        )
    if not (card.text.source_lang and card.text.target_lang):
        return (
            "Argos Translate wants to know the languages, and this model does not say them: train "
            "it with --source-lang and --target-lang"
        )
    return None


def transformer_of(card: Card) -> TransformerConfig:
    """The settings of a model that was not refused."""
    assert isinstance(card.model, TransformerConfig)
    return card.model


def positions(card: Card) -> int:
    """Positions that an exported model has: no translation can be longer."""
    own = card.max_length + 1
    return own if card.model.is_bounded else max(FEWEST_POSITIONS, 2 * own)


def _transformer_refusal(card: Card, other: str) -> str | None:
    """What neither of them can."""
    general = _shape_refusal(card, other)
    if general is not None:
        return general
    model = transformer_of(card)
    vectors = {model.source_vectors, model.target_vectors} - {None, model.d_model}
    if vectors:
        return f"{other} has words of d_model = {model.d_model}, and this model of {vectors.pop()}"
    return None


def _shape_refusal(card: Card, other: str) -> str | None:
    """What no export can."""
    model = card.model
    if not isinstance(model, TransformerConfig):
        return f"{other} knows Transformers, and this model is a {model.kind}"
    if model.attention != "full":
        return f"{other} looks at whole sentences, and this model has restricted attention"
    if model.score != "scaled_dot":
        return f"{other} has scaled dot-product attention, and this model scores by {model.score}"
    width = model.d_model // model.n_heads
    if (model.head_key_width, model.head_value_width) != (width, width):
        return (
            f"{other} wants d_k = d_v = d_model / n_heads = {width}; this model has "
            f"d_k = {model.head_key_width}, d_v = {model.head_value_width}"
        )
    return None
