"""What other software can express of a model, and why not the rest. Needs no torch, no numpy."""

from __future__ import annotations

from heedful.model_folder.card import Card

FEWEST_POSITIONS = 1024
"""Positions are stored one by one; sinusoids cost little, so there may be some to spare."""


def ctranslate2_refusal(card: Card) -> str | None:
    """Why CTranslate2 cannot express a model; None if it can."""
    model = card.model
    width = model.d_model // model.n_heads
    if (model.head_key_width, model.head_value_width) != (width, width):
        return (
            f"CTranslate2 wants d_k = d_v = d_model / n_heads = {width}; this model has "
            f"d_k = {model.head_key_width}, d_v = {model.head_value_width}"
        )
    return None


def positions(card: Card) -> int:
    """Positions that an exported model has: no translation can be longer."""
    own = card.max_length + 1
    return own if card.model.positions == "learned" else max(FEWEST_POSITIONS, 2 * own)


def huggingface_refusal(card: Card) -> str | None:
    """Why MarianMT cannot express a model; None if it can."""
    model = card.model
    width = model.d_model // model.n_heads
    if model.pre_norm:
        return "MarianMT normalises after each sub-layer, and this model before (model.pre_norm)"
    if model.positions != "sinusoidal":
        return f"MarianMT has sinusoidal positions, and this model has {model.positions} ones"
    if (model.head_key_width, model.head_value_width) != (width, width):
        return (
            f"MarianMT wants d_k = d_v = d_model / n_heads = {width}; this model has "
            f"d_k = {model.head_key_width}, d_v = {model.head_value_width}"
        )
    return None
