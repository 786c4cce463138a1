"""Which pictures there are, and how each is made of a model and a sentence: `heedful see`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.errors import InputError
from heedful.see.names import Picture
from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.arcs import draw_arcs
from heedful.see.pictures.heads import draw_heads
from heedful.see.pictures.masks import draw_masks
from heedful.see.pictures.positions import draw_positions
from heedful.see.pictures.projections import Unprojected, draw_projections
from heedful.see.pictures.scaling import draw_scaling
from heedful.see.pictures.search import draw_search
from heedful.see.pictures.step import draw_step
from heedful.see.recording.record import Attention, Kind, Record
from heedful.see.recording.walk import walk

if TYPE_CHECKING:
    from heedful.translator import Translator


FEWEST_POSITIONS = 64  # are drawn, where there is no end to them


@dataclass(frozen=True)
class Choice:
    """What of a record is asked for."""

    kind: Kind | None = None
    layer: int | None = None
    heads: tuple[int, ...] = ()
    """From 1; all if there are none."""
    word: str | None = None
    """The one that looks; a later of several alike with a number behind it, as in it:2."""
    numbers: bool = False
    """Whether weights are written into their cells."""

    def attention_of(self, record: Record) -> Attention:
        """The chosen layer; the alignment unless something is chosen."""
        if self.kind is None and self.layer is None:
            return record.alignment
        kind = self.kind or record.alignment.kind
        layers = [a.layer for a in record.attentions if a.kind == kind]
        last = max(layers, default=1)
        return record.get(kind, last if self.layer is None else self.layer)

    def query_of(self, attention: Attention) -> int:
        """The place of the chosen word among those that look; the first unless one is chosen."""
        if self.word is None:
            return 0
        text, _, count = self.word.rpartition(":")
        if not (text and count.isdigit()):
            text, count = self.word, "1"
        places = [i for i, query in enumerate(attention.queries) if query.strip("▁") == text]
        if not 1 <= int(count) <= len(places):
            raise InputError(
                f"{self.word!r} does not look in {attention.name}; these do: "
                f"{' '.join(attention.queries)}"
            )
        return places[int(count) - 1]


@dataclass(frozen=True)
class Subject:
    """A model and a sentence, or a record of both that was kept; and what of it is asked for."""

    choice: Choice
    translator: Translator | None = None
    source: str | None = None
    target: str | None = None
    kept: Record | None = None

    @cached_property
    def record(self) -> Record:
        """With the vectors of all heads."""
        if self.kept is not None:
            return self.kept
        if self.source is None:
            raise InputError("this picture is of a sentence: write it behind the run")
        return self.model.attend(self.source, self.target, vectors="all")

    @property
    def model(self) -> Translator:
        """For pictures of more than a record holds."""
        if self.translator is None:
            raise InputError("this picture is of the model itself: give its run, not a record")
        return self.translator

    @property
    def by_words(self) -> Attention:
        """The chosen attention, between words."""
        return self.choice.attention_of(self.record.by_words())


Draw = Callable[[Subject, Path], Path]


def _alignment(subject: Subject, path: Path) -> Path:
    choice = subject.choice
    return draw_alignment(subject.by_words, path, head=choice.heads or None, numbers=choice.numbers)


def _heads(subject: Subject, path: Path) -> Path:
    kind = subject.choice.kind or subject.record.attentions[0].kind
    return draw_heads(subject.record, path, kind=kind)


def _arcs(subject: Subject, path: Path) -> Path:
    attention, choice = subject.by_words, subject.choice
    query = None if choice.word is None else choice.query_of(attention)
    return draw_arcs(attention, path, query=query, head=choice.heads or None)


def _step(subject: Subject, path: Path) -> Path:
    record, choice = subject.record, subject.choice
    attention, head = choice.attention_of(record), (*choice.heads, 1)[0]
    query = choice.query_of(attention)
    is_written = attention.kind != "encoder"
    return draw_step(
        walk(attention, head, query),
        path,
        title=f"in {attention.name}, head {head}",
        predictions=record.predictions[query] if is_written else (),
    )


def _masks(subject: Subject, path: Path) -> Path:
    return draw_masks(subject.record, path)


def _projections(subject: Subject, path: Path) -> Path:
    from heedful.see.recording.inputs import inputs_of

    translator, record = subject.model, subject.record
    attention = record.get("encoder", 1 if subject.choice.layer is None else subject.choice.layer)
    ids = translator.source_tokenizer.encode(record.source)
    inputs = inputs_of(translator.model, ids, attention.layer)
    return draw_projections(Unprojected.of(attention, inputs), path)


def _positions(subject: Subject, path: Path) -> Path:
    from heedful.see.recording.inputs import positions_of

    translator = subject.model
    found = positions_of(translator.model, max(FEWEST_POSITIONS, translator.card.max_length))
    if found is None:
        kind = translator.card.model.kind
        raise InputError(f"{kind} reads word after word: it has no positions to see")
    table, name = found
    return draw_positions(table, path, title=name)


def _search(subject: Subject, path: Path) -> Path:
    return draw_search(subject.record.search, path, title=subject.record.target)


def _scaling(subject: Subject, path: Path) -> Path:
    return draw_scaling(path)


PICTURES: dict[Picture, Draw] = {
    "alignment": _alignment,
    "heads": _heads,
    "arcs": _arcs,
    "step": _step,
    "masks": _masks,
    "projections": _projections,
    "positions": _positions,
    "search": _search,
    "scaling": _scaling,
}
