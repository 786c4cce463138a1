"""What a request may want of its translation, beside the languages."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from heedful.serve.aside import aside
from heedful.serve.http.fields import is_given, number_field, text_field, texts_field, whole
from heedful.serve.options import WIDEST_BEAM
from heedful.serve.refused import Refused
from heedful.serve.translation_options import TranslationOptions
from heedful.settings import unknown
from heedful.terminology import COPIES, Wishes

MOST_TERMS = 1000
LONGEST_NAME = 40  # characters of a field's name that are repeated to whoever sent it


def check_known(fields: Mapping[str, Any], known: Collection[str]) -> None:
    """Refused if a field is none of these."""
    for name in fields:
        if name not in known:
            raise Refused(
                400, f"Invalid request: {unknown('field', name[:LONGEST_NAME], known, {})}"
            )


async def read_options(fields: Mapping[str, Any]) -> TranslationOptions:
    """All but the number of alternatives."""
    has_beam, has_prefix = is_given(fields, "beam"), is_given(fields, "prefix")
    return TranslationOptions(
        wishes=await read_wishes(fields),
        beam=number_field(fields, "beam", least=1, most=WIDEST_BEAM) if has_beam else None,
        prefix=text_field(fields, "prefix") if has_prefix else "",
        align=flag(fields, "align"),
    )


async def read_wishes(fields: Mapping[str, Any]) -> Wishes:
    """The terms, read once and for all, which takes as long as they are many."""
    if "glossary" not in fields and "keep" not in fields:
        return COPIES
    named, kept = read_terms(fields)
    length = sum(map(len, (*named, *named.values(), *kept)))
    return await aside(length, lambda: Wishes.of(named, kept, copy=True))


def read_terms(fields: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """What words shall be called, and which shall stay."""
    named = _glossary(fields["glossary"]) if is_given(fields, "glossary") else {}
    kept = _listed(fields["keep"]) if is_given(fields, "keep") else []
    if kept != []:
        kept = texts_field({"keep": kept}, "keep")[0]
    if len(named) + len(kept) > MOST_TERMS:
        raise Refused(400, f"Invalid request: {MOST_TERMS} terms at most")
    return named, kept


def _listed(value: Any) -> Any:
    """Forms send a list of terms as JSON, and a term as it is: `[1]` is one."""
    told = _told_in_json(value)
    is_list = isinstance(told, list) and all(isinstance(term, str) for term in told)
    return told if is_list else value


def _glossary(value: Any) -> dict[str, str]:
    """Forms send it as JSON."""
    value = _told_in_json(value)
    if not isinstance(value, dict) or not all(isinstance(term, str) for term in value.values()):
        raise Refused(400, "Invalid request: glossary must be an object of terms and their names")
    return {whole(term): whole(called) for term, called in value.items()}


def _told_in_json(value: Any) -> Any:
    """What a text says, None if it is no JSON; what is no text is as it was."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def flag(fields: Mapping[str, Any], name: str) -> bool:
    """Whether it is wanted; forms send it as text."""
    value = fields.get(name, False)
    if value in ("true", "false"):
        return bool(value == "true")
    if not isinstance(value, bool):
        raise Refused(400, f"Invalid request: {name} must be true or false")
    return value
