"""Layers upon each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from torch import nn

LayerT = TypeVar("LayerT", bound=nn.Module)


def stack(layers: Iterable[LayerT]) -> Sequence[LayerT]:
    """A ModuleList that remembers what it holds."""
    return cast(Sequence[LayerT], nn.ModuleList(layers))
