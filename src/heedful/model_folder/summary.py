"""What a card says, in words: for `heedful info` and for the repr of a model. Needs no torch."""

from __future__ import annotations

from heedful.model_folder.card import Card


def languages(card: Card) -> str:
    """Such as "en → de"; empty if neither is known."""
    source, target = card.text.source_lang, card.text.target_lang
    if source and target:
        return f"{source} → {target}"
    return f"from {source}" if source else f"into {target}" if target else ""


def vocabulary(card: Card) -> str:
    """Such as "8,000 (subwords → subwords), sentences of up to 128 tokens"."""
    sizes = f"{card.source_vocabulary:,}"
    if card.tokenizers["source"] != card.tokenizers["target"]:
        sizes += f" source, {card.target_vocabulary:,} target"
    return (
        f"{sizes} ({card.text.source_tokens} → {card.text.target_tokens}), "
        f"sentences of up to {card.max_length} tokens"
    )


def validation(card: Card) -> str:
    """Such as "BLEU 35.8, chrF 60.0, loss 2.1 on 500 lines"; empty if nothing was measured."""
    scores = card.scores
    if not {"bleu", "chrf", "loss", "validation_lines"} <= scores.keys():
        return ""
    return (
        f"BLEU {scores['bleu']}, chrF {scores['chrf']}, loss {scores['loss']} on "
        f"{count(scores['validation_lines'], 'line')}"
    )


def count(n: int, thing: str) -> str:
    """Such as "1 line" or "2,000 lines"."""
    return f"{n:,} {thing}" + ("" if n == 1 else "s")
