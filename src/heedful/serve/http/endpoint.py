"""An endpoint, and what the OpenAPI document says of all of them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from heedful import __version__

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """What is asked where, and who answers."""

    method: str
    path: str
    answer: Answer
    about: dict[str, Any] | None = None
    """Its request and its answers, as OpenAPI has them; None if it is not told of."""


def document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """In OpenAPI's terms; what each does, its function says."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        if endpoint.about is not None:
            told = {
                "operationId": re.sub(r"\W+", "_", f"{endpoint.method} {endpoint.path}").strip("_"),
                "description": endpoint.answer.__doc__ or "",
                **endpoint.about,
            }
            if parameters := _in_path(endpoint.path):
                told["parameters"] = parameters
            paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = told
    return {
        "openapi": "3.1.0",
        "info": {"title": "heedful", "version": __version__},
        "paths": paths,
    }


def _in_path(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", path)
    ]
