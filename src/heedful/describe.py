"""`heedful info`: what a model is, what it was trained on, how good it is."""

from __future__ import annotations

import json
from pathlib import Path

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
    model, story, scores = card.model, card.training, card.scores
    languages = f"{card.text.source_lang or '?'} → {card.text.target_lang or '?'}"
    vocabulary = f"{card.source_vocabulary:,}"
    if card.tokenizers["source"] != card.tokenizers["target"]:
        vocabulary += f" source, {card.target_vocabulary:,} target"
    return [
        ("languages", languages),
        ("model", f"{model.kind}: {model.summary}"),
        ("size", f"{n_weights:,} weights, {size / 1e6:.1f} MB"),
        (
            "vocabulary",
            f"{vocabulary} ({card.text.source_tokens} → {card.text.target_tokens}), "
            f"sentences of up to {card.max_length} tokens",
        ),
        (
            "trained on",
            f"{story.get('origin', '?')}: {_count(story.get('pairs', 0), 'pair')}, "
            f"{_count(story.get('target_tokens', 0), 'target token')}",
        ),
        (
            "training",
            f"{_count(story.get('steps', 0), 'step')} (kept: that of "
            f"{story.get('kept_at', 0):,}), {_count(story.get('epochs', 0), 'epoch')}, "
            f"{story.get('seconds', 0):,.0f} s on {story.get('device', '?')} with "
            f"{_count(story.get('threads', 0), 'thread')}"
            + ("" if story.get("finished") else "; not finished"),
        ),
        (
            "validation",
            f"BLEU {scores.get('bleu', '?')}, chrF {scores.get('chrf', '?')}, loss "
            f"{scores.get('loss', '?')} on {scores.get('validation_lines', '?')} lines",
        ),
        ("decoding", f"beam {card.decoding.beam}, normalised by {card.decoding.normalise}"),
    ]


def _count(n: int, thing: str) -> str:
    return f"{n:,} {thing}" + ("" if n == 1 else "s")
