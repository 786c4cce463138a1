"""Training that begins with the weights of another model: `heedful train --from`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from heedful.errors import InputError, ModelFolderError
from heedful.model_folder.card import read_card

if TYPE_CHECKING:
    from heedful.models.seq2seq import AnySeq2Seq
    from heedful.recipe import Sections

GENTLER = 0.2  # of the rate from scratch: what was learnt before shall not be forgotten at once
OPEN = {"dropout"}  # what another training may want otherwise


def begun_with(start: Path, kind: str | None) -> Sections:
    """The settings that come with the weights: those of the text and of the model."""
    card = read_card(start)
    if kind not in (None, card.model.kind):
        raise InputError(f"--from {start} is a {card.model.kind}: --model {kind} does not fit")
    text = card.text.model_dump(exclude_none=True)
    if card.model.has_places:  # there are as many as there are
        text["max_length"] = card.max_length
    else:
        text.pop("max_length", None)
    return {
        "text": text,
        "model": card.model.model_dump(exclude_none=True, exclude=OPEN),
        "decoding": card.decoding.model_dump(exclude_none=True),
    }


def begin(model: AnySeq2Seq, start: Path) -> None:
    """Puts the weights in."""
    from safetensors.torch import load_file

    from heedful.model_folder.weights import WEIGHTS, read_weights
    from heedful.models.weights import load_weights

    try:
        tensors = read_weights(start, load_file)
        load_weights(model, tensors, origin=start / WEIGHTS)
    except ModelFolderError as error:
        raise ModelFolderError(f"--from {start}: {error}") from None
