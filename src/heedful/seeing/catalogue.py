"""Which pictures there are, and how each is made of a model and a sentence: `heedful see`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from heedful.errors import InputError
from heedful.see.names import Picture
from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.arcs import draw_arcs
from heedful.see.pictures.chosen import chosen_heads, describe
from heedful.see.pictures.heads import draw_heads
from heedful.see.pictures.masks import draw_masks
from heedful.see.pictures.positions import draw_positions
from heedful.see.pictures.projections import Unprojected, draw_projections
from heedful.see.pictures.scaling import draw_scaling
from heedful.see.pictures.search import draw_search
from heedful.see.pictures.step import draw_step
from heedful.see.recording.attention import Attention, Kind
from heedful.see.recording.record import Record
from heedful.see.recording.walk import walk
from heedful.see.recording.words import word_starts
from heedful.text.special import SPACE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
        """The chosen layer; the alignment, or the last of another kind, unless one is chosen."""
        kind = self.kind or record.alignment.kind
        layers = [a.layer for a in record.attentions if a.kind == kind]
        if self.layer is None and layers and kind in ("cross", "saliency"):
            return record.alignment
        last = max(layers, default=1)
        return record.get(kind, last if self.layer is None else self.layer)

    def query_of(self, attention: Attention) -> int:
        """The place of the chosen word among those that look; the first unless one is chosen. The
        marks around a word need not be written."""
        if self.word is None:
            return 0
        known = [{query, _bare(query)} for query in attention.queries]
        text, number = self.word, 1
        base, _, count = text.rpartition(":")
        if base and count.isdecimal() and not any(text in names for names in known):
            text, number = base, int(count)
        places = [place for place, names in enumerate(known) if text in names]
        if not 1 <= number <= len(places):
            raise InputError(
                f"{self.word!r} does not look in {attention.name}; these do: "
                f"{' '.join(attention.queries)}"
            )
        return places[number - 1]

    def check(self, picture: Picture) -> None:
        """Refuses what a picture has no use for."""
        given = {
            "--kind": self.kind is not None,
            "--layer": self.layer is not None,
            "--head": bool(self.heads),
            "--word": self.word is not None,
            "--numbers": self.numbers,
        }
        for flag, is_given in given.items():
            if is_given and flag not in TAKES[picture]:
                raise InputError(f"{flag} says nothing to --as {picture}: leave it out")


TAKES: dict[Picture, set[str]] = {
    "alignment": {"--kind", "--layer", "--head", "--numbers"},
    "heads": {"--kind"},
    "arcs": {"--kind", "--layer", "--head", "--word"},
    "step": {"--kind", "--layer", "--head", "--word"},
    "masks": set(),
    "projections": {"--layer"},
    "positions": set(),
    "search": set(),
    "curve": set(),
    "scaling": set(),
}
"""What each picture lets one choose."""

RULE = "words: rows of their pieces averaged, columns summed"


def _bare(word: str) -> str:
    """Without ▁, and without the marks around it unless it is nothing else."""
    text = word.removeprefix(SPACE)
    inside = _MARKS_AROUND.sub("", text)
    return inside or text


_MARKS_AROUND = re.compile(r"^\W+|\W+$")


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


Draw = Callable[[Subject], "Figure"]


def _rule(subject: Subject, attention: Attention) -> str:
    """By which one pieces were merged, where they were."""
    pieces = subject.choice.attention_of(subject.record)
    is_merged = pieces.weights.shape != attention.weights.shape
    return f"; {RULE}" if is_merged else ""


def _alignment(subject: Subject) -> Figure:
    attention, choice = subject.by_words, subject.choice
    heads = chosen_heads(attention, choice.heads or None)
    title = describe(attention, heads) + _rule(subject, attention)
    return draw_alignment(attention, head=heads, numbers=choice.numbers, title=title)


def _heads(subject: Subject) -> Figure:
    kind = subject.choice.kind or subject.record.alignment.kind
    return draw_heads(subject.record, kind=kind)


def _arcs(subject: Subject) -> Figure:
    attention, choice = subject.by_words, subject.choice
    query = None if choice.word is None else choice.query_of(attention)
    heads = chosen_heads(attention, choice.heads or None)
    # Several have a colour each: nothing is averaged.
    name = attention.name if len(heads) > 1 else describe(attention, heads)
    return draw_arcs(attention, query=query, head=heads, title=name + _rule(subject, attention))


def _step(subject: Subject) -> Figure:
    record, choice = subject.record, subject.choice
    attention, head = choice.attention_of(record), (*choice.heads, 1)[0]
    # A word is chosen by what is read, and begins with the piece that goes the way.
    query = word_starts(attention.queries)[choice.query_of(attention.by_words())]
    is_written = attention.kind != "encoder"
    return draw_step(
        walk(attention, head, query),
        title=f"in {attention.name}, head {head}",
        predictions=record.predictions[query] if is_written else (),
    )


def _masks(subject: Subject) -> Figure:
    return draw_masks(subject.record)


def _projections(subject: Subject) -> Figure:
    from heedful.see.recording.inputs import inputs_of

    translator, record = subject.model, subject.record
    attention = record.get("encoder", 1 if subject.choice.layer is None else subject.choice.layer)
    ids = translator.source_tokenizer.encode(record.source)
    inputs = inputs_of(translator.model, ids, attention.layer)
    return draw_projections(Unprojected.of(attention, inputs))


def _positions(subject: Subject) -> Figure:
    from heedful.see.recording.inputs import positions_of

    translator = subject.model
    found = positions_of(translator.model, max(FEWEST_POSITIONS, translator.card.max_length))
    if found is None:
        kind = translator.card.model.kind
        raise InputError(f"{kind} reads word after word: it has no positions to see")
    table, name = found
    return draw_positions(table, title=name)


def _search(subject: Subject) -> Figure:
    return draw_search(subject.record.search, title=subject.record.target)


def _scaling(subject: Subject) -> Figure:
    return draw_scaling()


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
