"""Arrays in JSON: their shape, and their numbers as base64 of little-endian bytes, which every
language can read at once and no digit is lost in."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError

_TYPES = {"float32": "<f4", "bool": "|b1"}


def pack(array: NDArray[Any]) -> dict[str, Any]:
    """An array of 32-bit floats or of truth values as plain data."""
    name = "bool" if array.dtype == np.bool_ else "float32"
    content = np.ascontiguousarray(array, dtype=_TYPES[name]).tobytes()
    return {
        "shape": list(array.shape),
        "type": name,
        "base64": base64.b64encode(content).decode("ascii"),
    }


def unpack(data: Any, where: str) -> NDArray[Any]:
    """What `pack` made; `where` is told if it is no such thing."""
    try:
        content = base64.b64decode(data["base64"], validate=True)
        shape = tuple(int(n) for n in data["shape"])
        array = np.frombuffer(content, dtype=_TYPES[data["type"]])
        return array.reshape(shape)
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise InputError(
            f"{where} is damaged ({type(error).__name__}: {error}): an array with shape, type and "
            f"base64 is wanted"
        ) from None
