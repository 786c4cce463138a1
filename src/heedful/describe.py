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
from heedful.model_folder.summary import count, languages, validation, vocabulary
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
    model, decoding = card.model, card.decoding
    rows = [
        ("languages", languages(card)),
        ("model", f"{model.kind}: {model.summary}"),
        ("size", f"{n_weights:,} weights, {size / 1e6:.1f} MB"),
        ("vocabulary", vocabulary(card)),
        ("imported from", card.training.get("imported", "")),
        ("trained on", _data(card.training)),
        ("training", _training(card.training)),
        ("validation", validation(card)),
        ("alignments", _alignments(card.alignment_layer, model.n_layers)),
        ("decoding", f"beam {decoding.beam}, normalised by {decoding.normalise}"),
    ]
    return [(name, value) for name, value in rows if value]


def _data(story: dict[str, Any]) -> str:
    if not {"origin", "pairs", "target_tokens"} <= story.keys():
        return ""
    counts = count(story["pairs"], "pair"), count(story["target_tokens"], "target token")
    return f"{story['origin']}: {', '.join(counts)}"


def _training(story: dict[str, Any]) -> str:
    if not {"steps", "kept_at", "epochs", "seconds", "device", "threads"} <= story.keys():
        return ""
    return (
        f"{count(story['steps'], 'step')} (kept: that of {story['kept_at']:,}), "
        f"{count(story['epochs'], 'epoch')}, {story['seconds']:,.0f} s on {story['device']} with "
        f"{count(story['threads'], 'thread')}" + ("" if story.get("finished") else "; not finished")
    )


def _alignments(layer: int | None, n_layers: int) -> str:
    return "" if layer is None else f"told best by layer {layer + 1} of {n_layers}"
