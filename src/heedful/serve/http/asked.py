"""Texts that are to be translated, as both APIs ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from starlette.requests import Request

from heedful.serve.detect import Guess
from heedful.serve.http.fields import choice_field, number_field, text_field, texts_field
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.server import Server
from heedful.serve.service import Translated
from heedful.serve.sources import guess_sources, translate_from
from heedful.serve.translation_options import TranslationOptions


class Asked(NamedTuple):
    """What, from where to where, and how many translations of each."""

    texts: list[str]
    is_list: bool
    source: str
    target: str
    kind: str
    alternatives: int


def read_asked(fields: Mapping[str, Any], name: str, alternatives: int) -> Asked:
    """The texts have this name; so many alternatives are allowed."""
    return Asked(
        *texts_field(fields, name),
        source=text_field(fields, "source"),
        target=text_field(fields, "target"),
        kind=choice_field(fields, "format", ("text", "html")),
        alternatives=number_field(fields, "alternatives", most=alternatives),
    )


async def translated(
    server: Server, request: Request, asked: Asked, options: TranslationOptions
) -> tuple[list[list[Translated]], list[Guess]]:
    """The translations of each text, and what its source was taken for, if it was not told."""
    texts, _, source, target, kind, alternatives = asked
    server.check_amount(texts, options.prefix)
    guesses = guess_sources(server.models, texts, source, target)
    sources = [guess.language for guess in guesses] or [source] * len(texts)
    options = replace(options, nbest=alternatives + 1) if alternatives else options
    work = translate_from(server.models, texts, sources, target, kind, options)
    return await while_waited_for(request, work, server.options.deadline), guesses
