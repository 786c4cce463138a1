"""`heedful info`: what a model is, what it was trained on, how good it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from safetensors import SafetensorError, safe_open

from heedful.errors import ModelFolderError
from heedful.model_folder.card import Card, load_checked_tokenizers, read_card
from heedful.model_folder.weights import WEIGHTS


def describe(folder: Path, *, as_json: bool) -> None:
    """Prints a table, or JSON."""
    card = read_card(folder)
    load_checked_tokenizers(folder, card)
    n_weights = count_weights(folder / WEIGHTS)
    size = (folder / WEIGHTS).stat().st_size
    if as_json:
        print(json.dumps({**json.loads(card.to_json()), "weights": n_weights, "bytes": size}))
        return
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in _rows(card, n_weights, size):
        table.add_row(name, Text(value))
    console = Console(highlight=False)
    console.print(Text(str(folder), style="bold"))
    console.print(table)


def count_weights(path: Path) -> int:
    """From the file's header alone."""
    try:
        with safe_open(path, framework="numpy") as file:
            shapes = [file.get_slice(name).get_shape() for name in file.keys()]  # noqa: SIM118 no dict
    except (OSError, SafetensorError) as error:
        raise ModelFolderError(f"{path} is missing, damaged or cut short ({error})") from None
    total = 0
    for shape in shapes:
        n = 1
        for side in shape:
            n *= side
        total += n
    return total


def _rows(card: Card, n_weights: int, size: int) -> list[tuple[str, str]]:
    """What is known; a model of others does not tell how it was trained."""
    model, text, decoding = card.model, card.text, card.decoding
    vocabulary = f"{card.source_vocabulary:,}"
    if card.tokenizers["source"] != card.tokenizers["target"]:
        vocabulary += f" source, {card.target_vocabulary:,} target"
    rows = [
        ("languages", _languages(text.source_lang, text.target_lang)),
        ("model", f"{model.kind}: {model.summary}"),
        ("size", f"{n_weights:,} weights, {size / 1e6:.1f} MB"),
        (
            "vocabulary",
            f"{vocabulary} ({text.source_tokens} → {text.target_tokens}), "
            f"sentences of up to {card.max_length} tokens",
        ),
        ("imported from", card.training.get("imported", "")),
        ("trained on", _data(card.training)),
        ("training", _training(card.training)),
        ("validation", _validation(card.scores)),
        ("alignments", _alignments(card.alignment_layer, model.n_layers)),
        ("decoding", f"beam {decoding.beam}, normalised by {decoding.normalise}"),
    ]
    return [(name, value) for name, value in rows if value]


def _languages(source: str | None, target: str | None) -> str:
    if source and target:
        return f"{source} → {target}"
    return f"from {source}" if source else f"into {target}" if target else ""


def _data(story: dict[str, Any]) -> str:
    if not {"origin", "pairs", "target_tokens"} <= story.keys():
        return ""
    counts = _count(story["pairs"], "pair"), _count(story["target_tokens"], "target token")
    return f"{story['origin']}: {', '.join(counts)}"


def _training(story: dict[str, Any]) -> str:
    if not {"steps", "kept_at", "epochs", "seconds", "device", "threads"} <= story.keys():
        return ""
    return (
        f"{_count(story['steps'], 'step')} (kept: that of {story['kept_at']:,}), "
        f"{_count(story['epochs'], 'epoch')}, {story['seconds']:,.0f} s on {story['device']} with "
        f"{_count(story['threads'], 'thread')}"
        + ("" if story.get("finished") else "; not finished")
    )


def _validation(scores: dict[str, Any]) -> str:
    if not {"bleu", "chrf", "loss", "validation_lines"} <= scores.keys():
        return ""
    return (
        f"BLEU {scores['bleu']}, chrF {scores['chrf']}, loss {scores['loss']} on "
        f"{_count(scores['validation_lines'], 'line')}"
    )


def _alignments(layer: int | None, n_layers: int) -> str:
    return "" if layer is None else f"told best by layer {layer + 1} of {n_layers}"


def _count(n: int, thing: str) -> str:
    return f"{n:,} {thing}" + ("" if n == 1 else "s")
