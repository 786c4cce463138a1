"""More than LibreTranslate has: scores, word alignments, glossaries, prefixes, streams, records."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from heedful.errors import HeedfulError, InputError, RecipeError
from heedful.serve.http import schemas
from heedful.serve.http.edge import Plain
from heedful.serve.http.endpoint import Endpoint
from heedful.serve.http.fields import (
    choice_field,
    cost_of,
    number_field,
    read_fields,
    text_field,
    texts_field,
    whole,
)
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.models import Served
from heedful.serve.refused import Refused, too_long
from heedful.serve.server import Server
from heedful.serve.service import Translated, stream_text, translate_html, translate_texts
from heedful.serve.worker.client import WorkerDied, WorkerFailed

log = logging.getLogger("heedful.serve")
MOST_TERMS = 1000
WIDEST_BEAM = 32


class V1:
    """Its endpoints."""

    def __init__(self, server: Server) -> None:
        self._server, self._options = server, server.options

    def endpoints(self) -> list[Endpoint]:
        """All of them."""
        return [
            Endpoint("POST", "/v1/translate", self.translate, schemas.V1_TRANSLATE),
            Endpoint("POST", "/v1/stream", self.stream, schemas.V1_STREAM),
            Endpoint("POST", "/v1/record", self.record, schemas.V1_RECORD),
        ]

    async def translate(self, request: Request) -> Response:
        """Translate, with all that is known of the outcome."""
        fields = await self._admitted(request)
        texts, is_list = texts_field(fields, "text")
        served = self._served_of(fields)
        kind = choice_field(fields, "format", ("text", "html"))
        how = wishes(fields) | {
            "nbest": 1 + number_field(fields, "alternatives", most=self._options.alternatives),
        }
        align = _flag(fields, "align")
        if kind == "text":
            how["align"] = align
        elif align or "prefix" in how:  # there are many passages: whose would it be?
            name = "align" if align else "prefix"
            raise Refused(400, f"Invalid request: {name} does not go with format html")
        self._server.check_amount(texts, how.get("prefix", ""))
        served.check_room()
        work = (translate_html if kind == "html" else translate_texts)(served, texts, **how)
        found = await while_waited_for(request, work, self._options.deadline)
        answers = [_answer(translations) for translations in found]
        return Plain(answers if is_list else answers[0])

    async def stream(self, request: Request) -> Response:
        """Translate piece by piece, as server-sent events."""
        fields = await self._admitted(request)
        text = text_field(fields, "text")
        served = self._served_of(fields)
        how = wishes(fields, without=("glossary", "keep"))
        self._server.check_amount([text], how.get("prefix", ""))
        self._server.worker.check_room()
        pieces = stream_text(served, self._server.worker.stream, text, **how)
        return StreamingResponse(
            _events(pieces, self._options.deadline), media_type="text/event-stream"
        )

    async def record(self, request: Request) -> Response:
        """Where the model looks while it translates a sentence, as `heedful see` records it."""
        fields = await self._admitted(request)
        text = text_field(fields, "text")
        served = self._served_of(fields)
        self._server.check_amount([text])
        self._server.worker.check_room()
        work = self._server.worker.ask("attend", served.snapshot, source=text)
        return Plain(await while_waited_for(request, work, self._options.deadline))

    async def _admitted(self, request: Request) -> Mapping[str, Any]:
        fields = await read_fields(request)
        cost = cost_of(fields, "text")
        self._server.admission.admit(request, fields.get("api_key"), cost)
        return fields

    def _served_of(self, fields: Mapping[str, Any]) -> Served:
        return self._server.models.get(text_field(fields, "source"), text_field(fields, "target"))


def wishes(fields: Mapping[str, Any], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The options of `Translator.translate` that a request may have."""
    how: dict[str, Any] = {}
    for name in without:
        if fields.get(name):
            raise Refused(400, f"Invalid request: {name} does not go with this")
    if fields.get("beam") is not None:
        how["beam"] = max(1, number_field(fields, "beam", most=WIDEST_BEAM))
    if fields.get("prefix"):
        how["prefix"] = text_field(fields, "prefix")
    if fields.get("glossary"):
        how["glossary"] = _glossary(fields["glossary"])
    if fields.get("keep"):
        how["keep"] = texts_field(fields, "keep")[0]
    if len(how.get("glossary", ())) + len(how.get("keep", ())) > MOST_TERMS:
        raise Refused(400, f"Invalid request: {MOST_TERMS} terms at most")
    return how


def _glossary(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(term, str) for term in value.values()):
        raise Refused(400, "Invalid request: glossary must be an object of terms and their names")
    return {whole(term): whole(called) for term, called in value.items()}


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise Refused(400, f"Invalid request: {name} must be true or false")
    return value


def _answer(found: list[Translated]) -> dict[str, Any]:
    best, *others = found
    answer: dict[str, Any] = {"text": best.text, "score": round(best.score, 6)}
    if others:
        answer["alternatives"] = [{"text": o.text, "score": round(o.score, 6)} for o in others]
    if best.links:
        answer["links"] = [
            {"source": link.source, "target": link.target, "score": link.score}
            for link in best.links
        ]
    return answer


async def _events(pieces: AsyncIterator[str], seconds: float) -> AsyncIterator[bytes]:
    """One for each piece, one at the end; what goes wrong meanwhile is an event too."""
    whole_text = ""
    until = asyncio.get_running_loop().time() + seconds
    try:
        async for piece in _in_time(pieces, until):
            if piece:
                whole_text += piece
                yield _event("piece", {"text": piece})
        yield _event("done", {"text": whole_text})
    except TimeoutError:
        yield _event("error", {"error": str(too_long(seconds))})
    except (InputError, RecipeError, Refused) as error:
        yield _event("error", {"error": str(error)})
    except (HeedfulError, WorkerDied, WorkerFailed) as error:
        log.error("/v1/stream failed: %s: %s", type(error).__name__, error)
        yield _event("error", {"error": "internal error"})
    except Exception:  # the answer has begun: nobody else could tell it
        log.exception("a stream failed")
        yield _event("error", {"error": "internal error"})


async def _in_time(pieces: AsyncIterator[str], until: float) -> AsyncIterator[str]:
    """TimeoutError if the next does not come by then. A client that takes its time is not meant:
    what is sent is outside."""
    while True:
        try:
            async with asyncio.timeout_at(until):
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        yield piece


def _event(name: str, content: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n".encode()
