"""More than LibreTranslate has: scores, word alignments, glossaries, prefixes, streams, records."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import ExitStack
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from heedful.errors import HeedfulError, InputError, RecipeError
from heedful.serve.http.asked import Asked, read_asked, translated
from heedful.serve.http.edge import Plain
from heedful.serve.http.endpoint import Endpoint
from heedful.serve.http.fields import cost_of, read_fields, text_field
from heedful.serve.http.openapi.operations import Operations
from heedful.serve.http.openapi.requests import Requests
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.http.wishes import check_known, read_options, read_terms
from heedful.serve.refused import Refused, ending, too_long
from heedful.serve.server import Server
from heedful.serve.service import Translated
from heedful.serve.sources import guess_sources, is_there_already
from heedful.serve.stream import stream_text
from heedful.serve.worker.client import WorkerDied, WorkerFailed

log = logging.getLogger("heedful.serve")
NOT_IN_STREAMS = "glossary", "keep"


class V1:
    """Its endpoints."""

    def __init__(self, server: Server) -> None:
        self._server, self._options = server, server.options
        self._models = server.models
        known = Requests(server)
        self._of_translate, self._of_record = list(known.v1_translate()), list(known.v1_record())
        self._of_stream = [*known.v1_stream(), *NOT_IN_STREAMS]

    def endpoints(self) -> list[Endpoint]:
        """All of them."""
        told = Operations(self._server)
        return [
            Endpoint("POST", "/v1/translate", self.translate, told.v1_translate()),
            Endpoint("POST", "/v1/stream", self.stream, told.v1_stream()),
            Endpoint("POST", "/v1/record", self.record, told.v1_record()),
        ]

    async def translate(self, request: Request) -> Response:
        """Translate, with all that is known of the outcome."""
        fields = await self._admitted(request, self._of_translate)
        asked = read_asked(fields, "text", self._options.alternatives)
        options = await read_options(fields)
        if asked.kind == "html" and (options.align or options.prefix):
            name = "align" if options.align else "prefix"  # of many passages: whose would it be?
            raise Refused(400, f"Invalid request: {name} does not go with format html")
        found, guesses = await translated(self._server, request, asked, options)
        answers = [_answer(translations, asked, with_links=options.align) for translations in found]
        for answer, guess in zip(answers, guesses, strict=False):  # none, unless it was auto
            answer["detectedLanguage"] = guess.to_data()
        return Plain(answers if asked.is_list else answers[0])

    async def stream(self, request: Request) -> Response:
        """Translate piece by piece, as server-sent events."""
        fields = await self._admitted(request, self._of_stream)
        text, source, target, told = self._one_text(fields)
        for name, terms in zip(NOT_IN_STREAMS, read_terms(fields), strict=True):
            if terms:
                raise Refused(400, f"Invalid request: {name} does not go with a stream")
        options = await read_options(fields)
        self._server.check_amount([text], options.prefix)
        with ExitStack() as places:
            places.enter_context(self._server.worker.place())
            if is_there_already(self._models, source, target):
                pieces = _as_it_is(text)
            else:
                served = self._models.get(source, target)
                pieces = stream_text(served, self._server.worker.stream, text, options)
            return _Stream(_events(pieces, told, self._options.deadline), places.pop_all())

    async def record(self, request: Request) -> Response:
        """Where the model looks while it translates a sentence, as heedful see records it."""
        fields = await self._admitted(request, self._of_record)
        text, source, target, told = self._one_text(fields)
        if told and is_there_already(self._models, source, target):
            raise Refused(400, f"the text seems to be in {source} already: name its source")
        served = self._models.get(source, target)
        self._server.check_amount([text])
        with self._server.worker.place():
            work = self._server.worker.ask("attend", served.snapshot, source=text)
            return Plain(await while_waited_for(request, work, self._options.deadline))

    async def _admitted(self, request: Request, known: Collection[str]) -> Mapping[str, Any]:
        fields = await read_fields(request)
        cost = cost_of(fields, "text")
        self._server.admission.admit(request, fields.get("api_key"), cost)
        check_known(fields, known)
        return fields

    def _one_text(self, fields: Mapping[str, Any]) -> tuple[str, str, str, dict[str, Any]]:
        """A text, its languages, and what is told of them if they were found out."""
        text = text_field(fields, "text")
        source, target = text_field(fields, "source"), text_field(fields, "target")
        guesses = guess_sources(self._models, [text], source, target)
        if not guesses:
            return text, source, target, {}
        return text, guesses[0].language, target, {"detectedLanguage": guesses[0].to_data()}


class _Stream(StreamingResponse):
    """Has its place at the worker until all is sent, or its client has left, whichever of them
    comes first, even before anything is."""

    def __init__(self, events: AsyncIterator[bytes], place: ExitStack) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends it."""
        with self._place:
            await super().__call__(scope, receive, send)


def _answer(found: list[Translated], asked: Asked, *, with_links: bool) -> dict[str, Any]:
    best, *others = sorted(found, key=lambda one: -one.score)
    answer: dict[str, Any] = {"text": best.text, "score": round(best.score, 6)}
    if asked.alternatives:
        answer["alternatives"] = [{"text": o.text, "score": round(o.score, 6)} for o in others]
    if with_links:
        answer["links"] = [
            {"source": link.source, "target": link.target, "score": link.score}
            for link in best.links
        ]
    return answer


async def _as_it_is(text: str) -> AsyncIterator[str]:
    yield text


async def _events(
    pieces: AsyncIterator[str], told: dict[str, Any], seconds: float
) -> AsyncIterator[bytes]:
    """One for each piece, one at the end, which has all that is told besides; what goes wrong
    meanwhile is an event too."""
    whole_text = ""
    until = asyncio.get_running_loop().time() + seconds
    try:
        async for piece in _until_then(pieces, until):
            if piece:
                whole_text += piece
                yield _event("piece", {"text": piece})
        yield _event("done", {"text": whole_text, **told})
    except TimeoutError:
        yield _event("error", {"error": str(too_long(seconds))})
    except asyncio.CancelledError:  # the server ends; or the client has left, and hears nothing
        yield _event("error", {"error": str(ending())})
    except (InputError, RecipeError, Refused) as error:
        yield _event("error", {"error": str(error)})
    except (HeedfulError, WorkerDied, WorkerFailed) as error:
        log.error("/v1/stream failed: %s: %s", type(error).__name__, error)
        yield _event("error", {"error": "internal error"})
    except Exception:  # the answer has begun: nobody else could tell it
        log.exception("a stream failed")
        yield _event("error", {"error": "internal error"})


async def _until_then(pieces: AsyncIterator[str], until: float) -> AsyncIterator[str]:
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
