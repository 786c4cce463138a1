"""The API of LibreTranslate: its clients need not know that this is another server."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from heedful.documents.formats import ENDINGS, open_document
from heedful.serve.detect import Guess, guess_language
from heedful.serve.http import schemas
from heedful.serve.http.edge import Plain
from heedful.serve.http.fields import (
    choice_field,
    number_field,
    read_fields,
    text_field,
    texts_field,
)
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.refused import Refused
from heedful.serve.server import Server
from heedful.serve.service import translate_document, translate_html, translate_texts
from heedful.text.languages import name_of

AUTO = "auto"


def make_router(server: Server) -> APIRouter:
    """Its endpoints."""
    router = APIRouter(tags=["LibreTranslate"])
    options, models, admission = server.options, server.models, server.admission

    @router.post("/translate", openapi_extra=schemas.TRANSLATE, response_model=None)
    async def translate(request: Request) -> Response:
        """Translate a text, or a list of texts."""
        fields = await read_fields(request)
        texts, is_list = texts_field(fields, "q")
        source, target = text_field(fields, "source"), text_field(fields, "target")
        kind = choice_field(fields, "format", ("text", "html"))
        n = number_field(fields, "alternatives", most=options.alternatives)
        server.check_amount(texts)
        admission.admit(request, fields.get("api_key"), cost=len(texts))
        guesses = [_guess(text, target) for text in texts] if source.lower() == AUTO else []
        sources = [guess.language for guess in guesses] or [source] * len(texts)
        work = _translated(texts, sources, target, n + 1, kind)
        found = await while_waited_for(request, work, options.deadline)
        return Plain(_answer(found, guesses, is_list, with_alternatives=n > 0))

    @router.post("/detect", openapi_extra=schemas.DETECT, response_model=None)
    async def detect(request: Request) -> Response:
        """Tell the language of a text."""
        fields = await read_fields(request)
        text = text_field(fields, "q")
        server.check_amount([text])
        admission.admit(request, fields.get("api_key"))
        return Plain([guess.to_data() for guess in guess_language(text, models.targets())])

    @router.get("/languages", response_model=list[schemas.Language])
    async def languages() -> Response:
        """The languages, and what each can be translated to."""
        return Plain(
            [
                {"code": code, "name": name_of(code), "targets": targets}
                for code, targets in models.targets().items()
            ]
        )

    @router.get("/frontend/settings", response_model=None)
    async def settings() -> Response:
        """What a page for people has to know."""
        first = next(iter(models))
        language = {
            side: {"code": code, "name": name_of(code)}
            for side, code in (("source", first.source), ("target", first.target))
        }
        return Plain(
            {
                "apiKeys": admission.has_keys,
                "charLimit": options.characters,
                "filesTranslation": True,
                "frontendTimeout": 500,
                "keyRequired": options.require_key,
                "language": language,
                "suggestions": False,
                "supportedFilesFormat": [f".{ending}" for ending in ENDINGS],
            }
        )

    @router.get("/health", response_model=None)
    async def health() -> Response:
        """Whether the server is well."""
        return Plain({"status": "ok"})

    @router.get("/metrics", response_model=None)
    async def metrics(request: Request) -> Response:
        """Figures for Prometheus."""
        admission.admit_to_metrics(request)
        return Response(server.figures(), media_type="text/plain; version=0.0.4")

    @router.post("/translate_file", openapi_extra=schemas.TRANSLATE_FILE, response_model=None)
    async def translate_file(request: Request) -> Response:
        """Translate a document; its layout stays."""
        fields = await read_fields(request)
        file = fields.get("file")
        if not isinstance(file, UploadFile):
            raise Refused(400, "Invalid request: missing file parameter")
        source, target = text_field(fields, "source"), text_field(fields, "target")
        ending = (file.filename or "").rpartition(".")[2].lower()
        admission.admit(request, fields.get("api_key"))
        data = await file.read()
        open_now = partial(open_document, data, ending, unpacked=options.unpacked)
        document = await asyncio.to_thread(open_now)
        if source.lower() == AUTO:
            source = _guess(" ".join(document.passages[:20]), target).language
        served = models.get(source, target)
        work = translate_document(served, document)
        done = await while_waited_for(request, work, 10 * options.deadline)
        name = server.shelf.put(done, ending)
        return Plain({"translatedFileUrl": str(request.url_for("download_file", name=name))})

    @router.get("/download_file/{name}", response_model=None)
    async def download_file(name: str) -> Response:
        """A document that was translated."""
        content = server.shelf.get(name)
        if content is None:
            raise Refused(404, "there is no such file, or not any more")
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    def _guess(text: str, target: str) -> Guess:
        """Among the languages that can be translated to the target."""
        known = models.targets()
        able = [c for c, to in known.items() if target.lower() in map(str.lower, to)]
        if not able:
            raise Refused(400, f"{target} is not supported")
        return guess_language(text, able)[0]

    async def _translated(
        texts: list[str], sources: list[str], target: str, nbest: int, kind: str
    ) -> list[list[str]]:
        """Each from its own source; those of one model go together."""
        translate = translate_html if kind == "html" else translate_texts
        found: list[list[str]] = [[text] for text in texts]
        for source in dict.fromkeys(sources):
            if models.knows(source) and source.lower() == target.lower():
                continue  # it is there already
            rows = [row for row, own in enumerate(sources) if own == source]
            served = models.get(source, target)
            done = await translate(served, [texts[row] for row in rows], nbest=nbest)
            for row, translations in zip(rows, done, strict=True):
                found[row] = [translation.text for translation in translations]
        return found

    return router


def _answer(
    found: list[list[str]], guesses: list[Guess], is_list: bool, *, with_alternatives: bool
) -> dict[str, Any]:
    """A list for a list."""

    def shaped(values: list[Any]) -> Any:
        return values if is_list else values[0]

    answer = {"translatedText": shaped([translations[0] for translations in found])}
    if guesses:
        answer["detectedLanguage"] = shaped([guess.to_data() for guess in guesses])
    if with_alternatives:
        answer["alternatives"] = shaped([translations[1:] for translations in found])
    return answer
