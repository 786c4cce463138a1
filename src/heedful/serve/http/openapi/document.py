"""The OpenAPI document of all endpoints."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from heedful import __version__
from heedful.serve.http.endpoint import Endpoint

BEARER = {"type": "http", "scheme": "bearer", "description": "An API key; or send it as api_key"}


def document(endpoints: Iterable[Endpoint], *, with_keys: bool) -> dict[str, Any]:
    """What each does, its function says."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        if endpoint.about is not None:
            told = {
                "operationId": re.sub(r"\W+", "_", f"{endpoint.method} {endpoint.path}").strip("_"),
                "summary": endpoint.answer.__doc__ or "",
                **endpoint.about,
            }
            if parameters := _in_path(endpoint.path):
                told["parameters"] = parameters
            paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = told
    whole: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "heedful", "version": __version__},
        "paths": paths,
    }
    if with_keys:
        whole["components"] = {"securitySchemes": {"bearer": BEARER}}
        whole["security"] = [{}, {"bearer": []}]
    return whole


def _in_path(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", path)
    ]
