"""What a request says: JSON, a form, or the query of an empty body; checked, field by field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request

from heedful.serve.refused import Refused

FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data"
MOST_FIELDS = 50


async def read_fields(request: Request) -> Mapping[str, Any]:
    """By the names of the fields."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == PARTS:
        try:
            form = await request.form(max_files=1, max_fields=MOST_FIELDS)
        except MultiPartException as error:
            raise Refused(400, f"this is no form: {error.message}") from None
        return {**_of_query(request), **form}
    body = await _body(request)
    if kind == FORM:
        return _of_query(request) | _pairs(body)
    if not body:
        return _of_query(request)
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "Invalid JSON format") from None
    if not isinstance(content, dict):
        raise Refused(400, "Invalid JSON format: an object is wanted")
    return content


async def _body(request: Request) -> bytes:
    """(Starlette's own asks a generator for each piece, and most have one.)"""
    pieces = []
    is_more = True
    while is_more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        pieces.append(message.get("body", b""))
        is_more = message.get("more_body", False)
    return b"".join(pieces)


def _of_query(request: Request) -> dict[str, str]:
    return _pairs(request.scope["query_string"])


def _pairs(data: bytes) -> dict[str, str]:
    """Names and values. Letters that were not escaped, as curl -d leaves them, are UTF-8."""
    try:
        return dict(
            parse_qsl(
                data.decode(errors="replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS
            )
        )
    except ValueError:
        raise Refused(400, f"this is no form: {MOST_FIELDS} fields at most") from None


def is_given(fields: Mapping[str, Any], name: str) -> bool:
    """Whether it is there. Forms leave fields empty, and JSON has null for those that are not."""
    value = fields.get(name)
    return value is not None and value != ""


def text_field(fields: Mapping[str, Any], name: str) -> str:
    """A string that is there, and not empty."""
    if not is_given(fields, name):
        raise Refused(400, f"Invalid request: missing {name} parameter")
    value = fields[name]
    if not isinstance(value, str):
        raise Refused(400, f"Invalid request: {name} must be a string")
    return whole(value)


def texts_field(fields: Mapping[str, Any], name: str) -> tuple[list[str], bool]:
    """A string or a list of them -> as a list, and whether it was one."""
    value = fields.get(name)
    if not isinstance(value, list):
        return [text_field(fields, name)], False
    if not value:
        raise Refused(400, f"Invalid request: missing {name} parameter")
    if not all(isinstance(text, str) for text in value):
        raise Refused(400, f"Invalid request: {name} must be a string or a list of strings")
    return [whole(text) for text in value], True


def cost_of(fields: Mapping[str, Any], name: str) -> int:
    """As many requests as there are texts, before anything is checked."""
    value = fields.get(name)
    return max(1, len(value)) if isinstance(value, list) else 1


def number_field(fields: Mapping[str, Any], name: str, *, least: int = 0, most: int) -> int:
    """A whole number, the least unless it is given; forms send it as text."""
    value = fields.get(name, least)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    if type(value) is not int or value < least:
        raise Refused(400, f"Invalid request: {name} must be a whole number from {least} to {most}")
    if value > most:
        raise Refused(400, f"Invalid request: {name} must be {most} or less")
    return value


def choice_field(fields: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> str:
    """One of these; the first unless it is given."""
    value = fields[name] if is_given(fields, name) else choices[0]
    if value not in choices:
        raise Refused(400, f"{name} {str(value)[:20]!r} is not supported: {', '.join(choices)}")
    return str(value)


def whole(text: str) -> str:
    """Without halves of characters, which JSON can hold and UTF-8 cannot."""
    return text.encode("utf-8", errors="replace").decode()
