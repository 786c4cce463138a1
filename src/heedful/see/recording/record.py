"""What a model attended to while it turned one source into one target; pictures draw this."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from heedful.errors import HeedfulError
from heedful.see.recording.attention import Attention, Kind
from heedful.see.recording.words import join_words

Fate = Literal["goes on", "ends", "given up"]


@dataclass(frozen=True)
class Candidate:
    """A piece that might come next."""

    piece: str
    id: int
    probability: float


@dataclass(frozen=True)
class Node:
    """A piece that the search has put behind another: together they are a tree."""

    parent: int | None
    """The node before it, by its place among all; None at the beginning."""
    step: int
    """Pieces from the beginning, this one included."""
    piece: str
    probability: float
    """Of the piece, after those before it."""
    log_prob: float
    """Of all up to it."""
    fate: Fate
    chosen: bool
    """Whether it is part of the translation."""


@dataclass(frozen=True, repr=False)
class Record:
    """One source, its target, and every attention in between: what `Translator.attend` returns and
    `heedful.draw` draws."""

    source: str
    target: str
    source_pieces: tuple[str, ...]
    target_pieces: tuple[str, ...]
    attentions: tuple[Attention, ...]
    predictions: tuple[tuple[Candidate, ...], ...] = ()
    """For each target piece, the likeliest in its place, best first; the piece itself is the last
    if it is none of them. Empty where pieces were merged to words."""
    search: tuple[Node, ...] = ()
    """What the search looked at, step by step; empty where the target was given."""
    model: str = ""
    """Its shape in a few words."""
    target_ids: tuple[int, ...] = ()
    """What the model wrote, with the end mark unless it came to no end."""
    languages: tuple[str, str] = ("", "")
    """The codes of source and target, if they are known."""
    alignment_layer: int | None = None
    """Whose attention over the source tells best which words belong together, from 1; None if it is
    not known."""

    def __post_init__(self) -> None:
        if self.predictions and len(self.predictions) != len(self.target_pieces):
            raise ValueError(
                f"got predictions for {len(self.predictions)} pieces, wanted "
                f"{len(self.target_pieces)}"
            )
        for place, node in enumerate(self.search):
            is_known = node.parent is None or 0 <= node.parent < place
            if not is_known or node.fate not in get_args(Fate) or node.step < 1:
                raise ValueError(f"got a search that is no tree at its node {place}: {node}")

    def __repr__(self) -> str:
        """The sentence, the model and the sizes, without the numbers."""
        languages = f" ({self.languages[0]} → {self.languages[1]})" if all(self.languages) else ""
        sizes = f"{len(self.source_pieces)} source and {len(self.target_pieces)} target pieces"
        lines = [f"{self.source!r} → {self.target!r}{languages}", self.model, sizes, self._heads()]
        return "Record(" + "\n  ".join(line for line in lines if line) + ")"

    def _heads(self) -> str:
        """Layers × heads of each kind of attention."""
        by_kind: dict[str, list[int]] = {}
        for attention in self.attentions:
            by_kind.setdefault(attention.kind, []).append(attention.n_heads)
        sizes = [f"{kind} {len(heads)} × {max(heads)}" for kind, heads in by_kind.items()]
        return "layers × heads: " + ", ".join(sizes) if sizes else ""

    def get(self, kind: Kind, layer: int) -> Attention:
        """The attention of one layer, counted from 1."""
        for attention in self.attentions:
            if (attention.kind, attention.layer) == (kind, layer):
                return attention
        known = ", ".join(attention.name for attention in self.attentions) or "none"
        why = "; the model has no attention" if not self.has_attention else ""
        raise HeedfulError(f"no attention {kind} {layer} in this record, which has: {known}{why}")

    @property
    def has_attention(self) -> bool:
        """Whether the model attends at all; if it does not, saliency stands in for it."""
        return any(attention.kind != "saliency" for attention in self.attentions)

    @property
    def alignment(self) -> Attention:
        """What best tells which source words a target word comes from: the attention over the
        source of the layer that is known for it, or else of the last, or the saliency."""
        over_source = {a.layer: a for a in self.attentions if a.kind in ("cross", "saliency")}
        if not over_source:
            raise HeedfulError("this record has no attention over the source")
        best = self.alignment_layer
        return over_source[best if best in over_source else max(over_source)]

    def by_words(self) -> Record:
        """The same record with pieces merged to words."""
        return replace(
            self,
            source_pieces=join_words(self.source_pieces),
            target_pieces=join_words(self.target_pieces),
            attentions=tuple(attention.by_words() for attention in self.attentions),
            predictions=(),
            search=(),
        )

    def _repr_mimebundle_(self, **how: Any) -> Any:
        """In a notebook a record shows itself, if the extra `notebook` is installed."""
        try:
            from heedful.page.widget import widget
        except ImportError:
            return {"text/plain": f"{self.source} → {self.target} (pip install heedful[notebook])"}
        return widget(self)._repr_mimebundle_(**how)

    def to_json(self) -> str:
        """As text that `from_json`, and the page, can read; see `recording/record_json.py`."""
        from heedful.see.recording.record_json import to_json

        return to_json(self)

    @staticmethod
    def from_json(text: str, *, where: str = "the record") -> Record:
        """What `to_json` wrote."""
        from heedful.see.recording.record_json import from_json

        return from_json(text, where=where)
