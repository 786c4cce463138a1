"""`model.safetensors`: a model's weights."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from safetensors import SafetensorError

from heedful.errors import ModelFolderError
from heedful.files import new_file
from heedful.model_folder.card import CONFIG, Card, read_card, save_card

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray
    from torch import Tensor

    from heedful.models.seq2seq import AnySeq2Seq

WEIGHTS = "model.safetensors"
Weights = TypeVar("Weights")


class OnlyForTorchError(ModelFolderError):
    """Weights in numbers that numpy does not know, such as bfloat16."""


def save_model(folder: Path, card: Card, weights: dict[str, Tensor]) -> Card:
    """The weights, and then the card with their digest, which it returns.

    In between there is none on the disk, so that a crash leaves nothing that seems damaged.
    """
    if (folder / CONFIG).exists():
        save_card(folder, read_card(folder).model_copy(update={"weights_digest": None}))
    card = card.model_copy(update={"weights_digest": save_weights(folder, weights)})
    save_card(folder, card)
    return card


def save_weights(folder: Path, weights: dict[str, Tensor]) -> str:
    """Replaces `model.safetensors` in one move; its digest."""
    from heedful.models.weights import save_tensors

    with new_file(folder / WEIGHTS) as partial:
        save_tensors(weights, partial)
        return _digest(partial.read_bytes())


def read_weights(folder: Path, read: Callable[[Path], Weights]) -> Weights:
    """All weights by name, as safetensors' own `load_file` for torch or for numpy reads them."""
    path = folder / WEIGHTS
    try:
        return read(path)
    except FileNotFoundError:
        raise ModelFolderError(f"{folder} holds no weights: {WEIGHTS} is missing") from None
    except (OSError, SafetensorError) as error:
        raise ModelFolderError(
            f"{path} is damaged or cut short ({error}): copy the model again"
        ) from None


def load_model(folder: Path, card: Card, device: torch.device) -> AnySeq2Seq:
    """The model with its weights, ready to translate."""
    from safetensors.torch import load

    from heedful.models.weights import load_weights

    def read(path: Path) -> tuple[dict[str, Tensor], str]:
        content = path.read_bytes()
        return load(content), _digest(content)

    model = _empty_model(card, "cpu")
    tensors, digest = read_weights(folder, read)
    load_weights(model, tensors, origin=folder / WEIGHTS)
    _check_digest(folder, card, digest)
    return model.to(device).eval()


def read_arrays(folder: Path, card: Card) -> tuple[dict[str, NDArray[np.float32]], str]:
    """The weights as arrays, checked to be those of the card's model, and the digest of the bytes
    that they were read from: the file may be replaced at any time."""
    from safetensors.numpy import load

    from heedful.models.weights import check_fit

    def read(path: Path) -> tuple[dict[str, NDArray[np.float32]], str]:
        content = path.read_bytes()
        try:
            return load(content), _digest(content)
        except (KeyError, TypeError) as error:
            raise OnlyForTorchError(
                f"{path} holds numbers that only torch can read ({error}): use --engine torch, "
                f"or store them as float32"
            ) from None

    arrays, digest = read_weights(folder, read)
    shapes = {name: array.shape for name, array in arrays.items()}
    check_fit(_empty_model(card, "meta"), shapes, origin=folder / WEIGHTS)
    _check_digest(folder, card, digest)
    return arrays, digest


def digest_of(path: Path) -> str:
    """Of a file of weights, which is not held in memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _check_digest(folder: Path, card: Card, found: str) -> None:
    """What was read must be what was saved with the card. If the card has changed since it was
    read, a training has just put both in place."""
    wanted = card.weights_digest
    if wanted in (None, found) or read_card(folder).weights_digest != wanted:
        return
    raise ModelFolderError(
        f"{folder / WEIGHTS} is damaged, or of another model than {CONFIG}: copy the whole model "
        f"folder again"
    )


def _empty_model(card: Card, device: str) -> AnySeq2Seq:
    import torch

    from heedful.models.build import build

    with torch.device(device):
        return build(
            card.model,
            source_vocabulary=card.source_vocabulary,
            target_vocabulary=card.target_vocabulary,
            max_length=card.max_length,
        )
