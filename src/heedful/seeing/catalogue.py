"""From the flags of `heedful see` to a call of a drawing function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any

from heedful import draw
from heedful.errors import InputError
from heedful.see.names import Picture
from heedful.see.recording.attention import Kind
from heedful.see.recording.record import Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from heedful.translator import Translator

PICTURES: dict[Picture, Callable[..., Figure]] = {
    "alignment": draw.alignment,
    "heads": draw.heads,
    "arcs": draw.arcs,
    "step": draw.step,
    "masks": draw.masks,
    "projections": draw.projections,
    "positions": draw.positions,
    "search": draw.search,
    "curve": draw.curve,
    "scaling": draw.scaling,
}


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

    def given(self) -> dict[str, Any]:
        """What was chosen, by the names of the drawing functions' parameters."""
        every = {
            "kind": self.kind,
            "layer": self.layer,
            "head": self.heads or None,
            "word": self.word,
            "numbers": self.numbers or None,
        }
        return {name: value for name, value in every.items() if value is not None}

    def check(self, picture: Picture) -> None:
        """Refuses what a picture has no use for."""
        for name in self.given():
            if name not in signature(PICTURES[picture]).parameters:
                raise InputError(f"--{name} says nothing to --as {picture}: leave it out")

    def options(self, picture: Picture) -> dict[str, Any]:
        """The arguments of a picture's function; the arithmetic is of one head, the first."""
        taken = signature(PICTURES[picture]).parameters
        options = {name: value for name, value in self.given().items() if name in taken}
        if picture == "step" and self.heads:
            options["head"] = self.heads[0]
        return options


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

    def drawn(self, picture: Picture) -> Figure:
        """Any picture but the curve, which is of a run."""
        options = self.choice.options(picture)
        match picture:
            case "projections":
                return draw.projections(self.record, self.model, **options)
            case "positions":
                return draw.positions(self.model)
            case "scaling":
                return draw.scaling()
            case _:
                return PICTURES[picture](self.record, **options)
