"""An endpoint."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """What is asked where, and who answers."""

    method: str
    path: str
    answer: Answer
    about: dict[str, Any] | None = None
    """Its request and its answers, as OpenAPI has them; None if it is not told of."""
