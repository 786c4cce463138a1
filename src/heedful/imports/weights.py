"""The weights of a MarianMT model: one file, or several and an index, in numbers of 16 to 64
bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.imports.folder import CONFIG, read_json

Array = NDArray[np.float32]
WEIGHTS = "model.safetensors"
INDEX = f"{WEIGHTS}.index.json"
UNSAFE = ("pytorch_model.bin", "pytorch_model.bin.index.json")
NUMBERS: Final[dict[str, type]] = {
    "F64": np.float64, "F32": np.float32, "F16": np.float16, "BF16": np.uint16,
}  # fmt: skip
ROUGH = {"F16": 1e-3, "BF16": 8e-3}  # how far apart their numbers stand, at 1


class MarianWeights:
    """Arrays by their names. What nobody takes is told in the end."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / WEIGHTS
        self._arrays: dict[str, Array] = {}
        self._taken: set[str] = set()
        self.rough = 0.0
        """How far the numbers of a rougher kind may be from what they stand for."""
        for path in _files(folder):
            for name, stored in _read(path):
                self._arrays[name] = _numbers(path, name, stored)
                self.rough = max(self.rough, ROUGH.get(stored["dtype"], 0.0))

    def __contains__(self, name: str) -> bool:
        return name in self._arrays

    def take(self, name: str, *shape: int) -> Array:
        """One of them, which must have this shape."""
        if name not in self._arrays:
            raise InputError(f"{self._path} lacks {name}: copy the model again")
        array = self._arrays[name]
        if array.shape != shape:
            raise InputError(
                f"{self._path}: {name} has the shape {array.shape}, and {CONFIG} wants {shape}: "
                f"copy the model again"
            )
        self._taken.add(name)
        return array

    def take_the_same(self, name: str, array: Array, what: str, tolerance: float = 0.0) -> None:
        """One that may be there, and must then be what it stands for."""
        if name not in self:
            return
        n = next(iter(self._arrays[name].shape), len(array))  # a single number has no shape
        found = self.take(name, n, *array.shape[1:])
        is_same = len(found) <= len(array) and np.allclose(
            found, array[: len(found)], rtol=0, atol=tolerance
        )
        if not is_same:
            raise InputError(f"{self._path} cannot be imported: {name} is not {what}")

    def check_all_taken(self) -> None:
        """What is left would change what the model computes."""
        left = sorted(self._arrays.keys() - self._taken)
        if left:
            more = f" and {len(left) - 3} more" if len(left) > 3 else ""
            raise InputError(
                f"{self._path} cannot be imported: it has {', '.join(left[:3])}{more}, which the "
                f"model as heedful knows it does not have"
            )


def _files(folder: Path) -> list[Path]:
    if (folder / WEIGHTS).exists():
        return [folder / WEIGHTS]
    if not (folder / INDEX).exists():
        raise InputError(f"{folder} has no {WEIGHTS}{_hint(folder)}")
    places = read_json(folder / INDEX).get("weight_map")
    names = set(map(str, places.values())) if isinstance(places, dict) else set()
    if not names or any(Path(name).name != name for name in names):
        raise InputError(f"{folder / INDEX}: weight_map must name files that stand beside it")
    return [folder / name for name in sorted(names)]


def _read(path: Path) -> list[tuple[str, dict[str, Any]]]:
    from safetensors import SafetensorError, deserialize

    try:
        return list(deserialize(path.read_bytes()))  # type: ignore[no-untyped-call]  # it is in Rust
    except FileNotFoundError:
        raise InputError(f"{path} is missing: copy the model again") from None
    except (OSError, SafetensorError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def _numbers(path: Path, name: str, stored: dict[str, Any]) -> Array:
    kind = stored["dtype"]
    if kind not in NUMBERS:
        raise InputError(
            f"{path}: {name} is in {kind}, and one of {', '.join(NUMBERS)} is wanted: save the "
            f"model anew with torch_dtype=torch.float32"
        )
    array = np.frombuffer(stored["data"], NUMBERS[kind]).reshape(stored["shape"])
    if kind == "BF16":  # the first half of 32 bits
        found: Array = (array.astype(np.uint32) << 16).view(np.float32)
        return found
    return array.astype(np.float32)


def _hint(folder: Path) -> str:
    """For those who have the weights in another file."""
    unsafe = [name for name in UNSAFE if (folder / name).exists()]
    if not unsafe:
        return ""
    return (
        f"; {unsafe[0]} is a pickle, which can run programs, and is not opened: save it as "
        f"safetensors with MarianMTModel.from_pretrained(…).save_pretrained(…)"
    )
