"""What a request may want of its translation, beside the languages."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from heedful.serve.how import AS_USUAL, How
from heedful.serve.http.fields import is_given, number_field, text_field, texts_field, whole
from heedful.serve.options import WIDEST_BEAM
from heedful.serve.refused import Refused
from heedful.settings import unknown

MOST_TERMS = 1000
LONGEST_NAME = 40  # characters of a field's name that are repeated to whoever sent it


def check_known(fields: Mapping[str, Any], known: Collection[str]) -> None:
    """Refused if a field is none of these."""
    for name in fields:
        if name not in known:
            raise Refused(
                400, f"Invalid request: {unknown('field', name[:LONGEST_NAME], known, {})}"
            )


def wishes(fields: Mapping[str, Any]) -> How:
    """All that a request may have."""
    how = terms(fields)
    if is_given(fields, "beam"):
        how = replace(how, beam=number_field(fields, "beam", least=1, most=WIDEST_BEAM))
    if is_given(fields, "prefix"):
        how = replace(how, prefix=text_field(fields, "prefix"))
    return how


def terms(fields: Mapping[str, Any]) -> How:
    """What words shall be called, and which shall stay."""
    named = _glossary(fields["glossary"]) if is_given(fields, "glossary") else {}
    kept = _listed(fields["keep"]) if is_given(fields, "keep") else []
    if kept != []:
        kept = texts_field({"keep": kept}, "keep")[0]
    if len(named) + len(kept) > MOST_TERMS:
        raise Refused(400, f"Invalid request: {MOST_TERMS} terms at most")
    return How(glossary=named, keep=kept) if named or kept else AS_USUAL


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
