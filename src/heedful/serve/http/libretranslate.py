"""The API of LibreTranslate: its clients need not know that this is another server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from heedful.documents.formats import ENDINGS, Document, check_ending, open_document
from heedful.serve.desk import Desk, Place
from heedful.serve.detect import Guess, guess_language
from heedful.serve.http import schemas
from heedful.serve.http.address import address_of
from heedful.serve.http.edge import Plain
from heedful.serve.http.endpoint import Endpoint
from heedful.serve.http.fields import (
    choice_field,
    cost_of,
    number_field,
    read_fields,
    text_field,
    texts_field,
)
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused
from heedful.serve.server import Server
from heedful.serve.service import translate_document, translate_html, translate_texts
from heedful.text.languages import name_of

AUTO = "auto"


class LibreTranslate:
    """Its endpoints."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._options, self._models = server.options, server.models
        self._admission = server.admission
        self._desk = Desk(self._options.files)

    def endpoints(self) -> list[Endpoint]:
        """All of them."""
        return [
            Endpoint("POST", "/translate", self.translate, schemas.TRANSLATE),
            Endpoint("POST", "/detect", self.detect, schemas.DETECT),
            Endpoint("GET", "/languages", self.languages, schemas.LANGUAGES),
            Endpoint("GET", "/frontend/settings", self.settings, schemas.ANYTHING),
            Endpoint("GET", "/health", self.health, schemas.ANYTHING),
            Endpoint("GET", "/metrics", self.metrics, schemas.METRICS),
            Endpoint("POST", "/translate_file", self.translate_file, schemas.TRANSLATE_FILE),
            Endpoint("GET", "/download_file/{name}", self.download_file, schemas.DOWNLOAD),
        ]

    async def translate(self, request: Request) -> Response:
        """Translate a text, or a list of texts."""
        fields = await read_fields(request)
        self._admission.admit(request, fields.get("api_key"), cost_of(fields, "q"))
        texts, is_list = texts_field(fields, "q")
        source, target = text_field(fields, "source"), text_field(fields, "target")
        kind = choice_field(fields, "format", ("text", "html"))
        n = number_field(fields, "alternatives", most=self._options.alternatives)
        self._server.check_amount(texts)
        guesses = [self._guess(text, target) for text in texts] if source.lower() == AUTO else []
        sources = [guess.language for guess in guesses] or [source] * len(texts)
        work = self._translated(texts, sources, target, n + 1, kind)
        found = await while_waited_for(request, work, self._options.deadline)
        return Plain(_answer(found, guesses, is_list, with_alternatives=n > 0))

    async def detect(self, request: Request) -> Response:
        """Tell the language of a text."""
        fields = await read_fields(request)
        self._admission.admit(request, fields.get("api_key"))
        text = text_field(fields, "q")
        self._server.check_amount([text])
        return Plain([guess.to_data() for guess in guess_language(text, self._models.targets())])

    async def languages(self, request: Request) -> Response:
        """The languages, and what each can be translated to."""
        return Plain(
            [
                {"code": code, "name": name_of(code), "targets": targets}
                for code, targets in self._models.targets().items()
            ]
        )

    async def settings(self, request: Request) -> Response:
        """What a page for people has to know."""
        first = next(iter(self._models))
        language = {
            side: {"code": code, "name": name_of(code)}
            for side, code in (("source", first.source), ("target", first.target))
        }
        return Plain(
            {
                "apiKeys": self._admission.has_keys,
                "charLimit": self._options.characters,
                "filesTranslation": self._options.files > 0,
                "frontendTimeout": 500,
                "keyRequired": self._options.require_key,
                "language": language,
                "suggestions": False,
                "supportedFilesFormat": [f".{ending}" for ending in ENDINGS],
            }
        )

    async def health(self, request: Request) -> Response:
        """Whether the server is well."""
        return Plain({"status": "ok"})

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus."""
        self._admission.admit_to_metrics(request)
        return Response(self._server.figures(), media_type="text/plain; version=0.0.4")

    async def translate_file(self, request: Request) -> Response:
        """Translate a document; its layout stays."""
        fields = await read_fields(request)
        file = fields.get("file")
        if not isinstance(file, UploadFile):
            raise Refused(400, "Invalid request: missing file parameter")
        source, target = text_field(fields, "source"), text_field(fields, "target")
        ending = (file.filename or "").rpartition(".")[2].lower()
        check_ending(ending)
        if source.lower() == AUTO:
            self._guess("", target)
        else:
            self._models.get(source, target)
        self._admission.admit(request, fields.get("api_key"))
        with self._desk.place() as place:
            work = self._translated_file(request, fields, ending, place)
            done = await while_waited_for(request, work, 10 * self._options.deadline)
        name = self._server.shelf.put(done, ending)
        behind_proxy = self._options.behind_proxy
        address = address_of(request, f"/download_file/{name}", behind_proxy=behind_proxy)
        return Plain({"translatedFileUrl": address})

    async def _translated_file(
        self, request: Request, fields: Mapping[str, Any], ending: str, place: Place
    ) -> bytes:
        """All of it within the time that there is."""
        data: bytes = await fields["file"].read()
        await fields["file"].close()
        opened = await place.do(lambda: _opened(data, ending, self._options))
        if more := opened.characters // max(1, self._options.characters):
            self._admission.admit(request, fields.get("api_key"), cost=more)
        self._server.metrics.characters.inc(opened.characters)
        source, target = text_field(fields, "source"), text_field(fields, "target")
        if source.lower() == AUTO:
            source = self._guess(opened.beginning, target).language
        if source.lower() == target.lower() and self._models.knows(source):
            return data
        return await translate_document(self._models.get(source, target), opened.document, place)

    async def download_file(self, request: Request) -> Response:
        """A document that was translated."""
        name = request.path_params["name"]
        content = self._server.shelf.get(name)
        if content is None:
            raise Refused(404, "there is no such file, or not any more")
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    def _guess(self, text: str, target: str) -> Guess:
        """Among the languages that can be translated to the target, and the target itself: then
        it is there already."""
        known = self._models.targets()
        able = [c for c, to in known.items() if target.lower() in map(str.lower, to)]
        if not able:
            raise Refused(400, f"{target} is not supported")
        return guess_language(text, [*able, *(c for c in known if c.lower() == target.lower())])[0]

    async def _translated(
        self, texts: list[str], sources: list[str], target: str, nbest: int, kind: str
    ) -> list[list[str]]:
        """Each from its own source; those of one model go together."""
        translate = translate_html if kind == "html" else translate_texts
        found: list[list[str]] = [[text] for text in texts]
        for source in dict.fromkeys(sources):
            if source.lower() == target.lower() and self._models.knows(source):
                continue  # it is there already
            rows = [row for row, own in enumerate(sources) if own == source]
            served = self._models.get(source, target)
            served.check_room()
            done = await translate(served, [texts[row] for row in rows], nbest=nbest)
            for row, translations in zip(rows, done, strict=True):
                found[row] = [translation.text for translation in translations]
        return found


class _Opened(NamedTuple):
    """A file of a size that is allowed."""

    document: Document
    characters: int
    beginning: str


def _opened(data: bytes, ending: str, options: ServeOptions) -> _Opened:
    """Refused if there is too much in it."""
    document = open_document(
        data,
        ending,
        unpacked=options.unpacked,
        tags=options.tags,
        characters=options.file_characters,
    )
    passages = document.passages
    characters = sum(map(len, passages))
    return _Opened(document, characters, " ".join(passages[:20]))


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
