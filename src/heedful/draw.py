"""Drawing functions: each takes a record, a model or a run and returns a matplotlib Figure.

    import heedful

    record = heedful.load("runs/en-de").attend("A dog runs.", vectors="all")
    heedful.draw.save(heedful.draw.arcs(record, word="dog"), "dog.svg")

`heedful see --as NAME` draws with the function NAME. Layers and heads are counted from 1.
matplotlib is loaded when something is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.errors import InputError
from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.arcs import draw_arcs
from heedful.see.pictures.chosen import chosen_attention, chosen_heads, chosen_query, describe
from heedful.see.pictures.curve import draw_curve
from heedful.see.pictures.heads import draw_heads
from heedful.see.pictures.masks import draw_masks
from heedful.see.pictures.positions import draw_positions
from heedful.see.pictures.projections import Unprojected, draw_projections
from heedful.see.pictures.save import save
from heedful.see.pictures.scaling import draw_scaling
from heedful.see.pictures.search import draw_search
from heedful.see.pictures.sheet import save_sheet
from heedful.see.pictures.step import draw_step
from heedful.see.recording.attention import Attention, Kind
from heedful.see.recording.record import Record
from heedful.see.recording.walk import walk
from heedful.see.recording.words import word_starts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from heedful.translator import Translator

__all__ = [
    "alignment",
    "arcs",
    "curve",
    "heads",
    "masks",
    "positions",
    "projections",
    "save",
    "save_sheet",
    "scaling",
    "search",
    "step",
]

FEWEST_POSITIONS = 64
"""Positions that are drawn at least, where their number has no limit."""
RULE = "words: rows of their pieces averaged, columns summed"


def alignment(
    record: Record,
    *,
    kind: Kind | None = None,
    layer: int | None = None,
    head: int | Sequence[int] | None = None,
    numbers: bool = False,
) -> Figure:
    """Draw a heat map of the weights between words: rows attend to columns.

    One head, or the mean of several or of all (None). `kind` is "cross" (the attention over the
    source) unless given, `layer` the one that aligns best. `numbers` writes each weight into its
    cell, in percent.
    """
    pieces, words = _chosen(record, kind, layer)
    chosen = chosen_heads(words, head)
    title = describe(words, chosen) + _rule(pieces, words)
    return draw_alignment(words, head=chosen, numbers=numbers, title=title)


def heads(record: Record, *, kind: Kind | None = None) -> Figure:
    """Draw all layers and heads of one kind of attention as small heat maps, with the entropy and
    the mean distance of each."""
    return draw_heads(record, kind=kind or record.alignment.kind)


def arcs(
    record: Record,
    *,
    kind: Kind | None = None,
    layer: int | None = None,
    head: int | Sequence[int] | None = None,
    word: str | None = None,
) -> Figure:
    """Draw lines from each word, or from `word`, to what it attends to, a colour for each head.

    `word` is one of the words that attend: "it:2" is the second "it".
    """
    pieces, words = _chosen(record, kind, layer)
    chosen = chosen_heads(words, head)
    # Several heads have a colour each: nothing is averaged.
    name = words.name if len(chosen) > 1 else describe(words, chosen)
    query = None if word is None else chosen_query(words, word)
    return draw_arcs(words, query=query, head=chosen, title=name + _rule(pieces, words))


def step(
    record: Record,
    *,
    kind: Kind | None = None,
    layer: int | None = None,
    head: int = 1,
    word: str | None = None,
) -> Figure:
    """Draw the arithmetic of one query, number by number: scores, mask, softmax, context, output.

    `word` is the first that attends unless given. The record must hold the head's vectors:
    `model.attend(…, vectors="all")`.
    """
    attention = chosen_attention(record, kind, layer)
    # A word is chosen by how it reads, and its first piece is the query that is drawn.
    place = 0 if word is None else chosen_query(attention.by_words(), word)
    query = word_starts(attention.queries)[place]
    return draw_step(
        walk(attention, head, query),
        title=f"in {attention.name}, head {head}",
        predictions=record.predictions[query] if attention.kind != "encoder" else (),
    )


def masks(record: Record) -> Figure:
    """Draw the padding, causal and window masks of the sentence, and what each removes."""
    return draw_masks(record)


def search(record: Record) -> Figure:
    """Draw the beam search as a tree; of a record whose translation was searched for."""
    return draw_search(record.search, title=record.target)


def projections(record: Record, model: Translator, *, layer: int = 1) -> Figure:
    """Draw how much each word attends to itself in the encoder, with W_Q and W_K and without.

    `model` is the one that the record was made with.
    """
    from heedful.see.recording.inputs import inputs_of

    attention = record.get("encoder", layer)
    ids = model.source_tokenizer.encode(record.source)
    return draw_projections(Unprojected.of(attention, inputs_of(model.model, ids, layer)))


def positions(model: Translator) -> Figure:
    """Draw the vectors of the model's positions, and the distance between each two of them."""
    from heedful.see.recording.inputs import positions_of

    found = positions_of(model.model, max(FEWEST_POSITIONS, model.card.max_length))
    if found is None:
        kind = model.card.model.kind
        raise InputError(f"{kind} reads word after word: it has no positions to see")
    table, name = found
    return draw_positions(table, title=name)


def curve(run: str | Path) -> Figure:
    """Draw loss, BLEU and learning rate of a run over its steps."""
    from heedful.training.reporter import read_metrics
    from heedful.training.run_folder import RunFolder

    folder = RunFolder(Path(run))
    if not folder.metrics.exists():
        raise InputError(
            f"{run} has no {folder.metrics.name}: a run that `heedful train` made is wanted"
        )
    return draw_curve(read_metrics(folder.metrics), title=folder.path.name)


def scaling() -> Figure:
    """Draw why scores are divided by √d_k: variance, entropy and gradient against d_k."""
    return draw_scaling()


def _chosen(record: Record, kind: Kind | None, layer: int | None) -> tuple[Attention, Attention]:
    """An attention between pieces, and the same between words."""
    pieces = chosen_attention(record, kind, layer)
    return pieces, pieces.by_words()


def _rule(pieces: Attention, words: Attention) -> str:
    """How pieces were merged, where any were."""
    return f"; {RULE}" if pieces.weights.shape != words.weights.shape else ""
