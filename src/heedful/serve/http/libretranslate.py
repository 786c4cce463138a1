"""The API of LibreTranslate: its clients need not know that this is another server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from heedful.documents.formats import ENDINGS, check_ending, open_document
from heedful.documents.translatable import Translatable
from heedful.serve.desk import Place
from heedful.serve.detect import Guess, guess_language
from heedful.serve.http.address import address_of
from heedful.serve.http.asked import Asked, read_asked, translated
from heedful.serve.http.edge import Plain
from heedful.serve.http.endpoint import Endpoint
from heedful.serve.http.fields import cost_of, read_fields, text_field
from heedful.serve.http.openapi.operations import Operations
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.http.wishes import read_terms, read_wishes
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused
from heedful.serve.server import Server
from heedful.serve.service import Translated, translate_document
from heedful.serve.sources import guess_source, is_auto, is_there_already
from heedful.serve.translation_options import TranslationOptions
from heedful.text.languages import name_of

WELL = {"status": "ok"}


class LibreTranslate:
    """Its endpoints."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._options, self._models = server.options, server.models
        self._admission = server.admission

    def endpoints(self) -> list[Endpoint]:
        """All of them."""
        told = Operations(self._server)
        return [
            Endpoint("POST", "/translate", self.translate, told.translate()),
            Endpoint("POST", "/detect", self.detect, told.detect()),
            Endpoint("GET", "/languages", self.languages, told.languages(self._languages())),
            Endpoint("GET", "/frontend/settings", self.settings, told.settings(self._settings())),
            Endpoint("GET", "/health", self.health, told.health(WELL)),
            Endpoint("GET", "/metrics", self.metrics, told.metrics()),
            Endpoint("POST", "/translate_file", self.translate_file, told.translate_file()),
            Endpoint("GET", "/download_file/{name}", self.download_file, told.download_file()),
        ]

    async def translate(self, request: Request) -> Response:
        """Translate a text, or a list of texts."""
        fields = await read_fields(request)
        self._admission.admit(request, fields.get("api_key"), cost_of(fields, "q"))
        asked = read_asked(fields, "q", self._options.alternatives)
        options = TranslationOptions(wishes=await read_wishes(fields))
        found, guesses = await translated(self._server, request, asked, options)
        return Plain(_answer(asked, found, guesses))

    async def detect(self, request: Request) -> Response:
        """Tell the language of a text."""
        fields = await read_fields(request)
        self._admission.admit(request, fields.get("api_key"))
        text = text_field(fields, "q")
        self._server.check_amount([text])
        return Plain([guess.to_data() for guess in guess_language(text, self._models.targets())])

    async def languages(self, request: Request) -> Response:
        """The languages, and what each can be translated to."""
        return Plain(self._languages())

    def _languages(self) -> list[dict[str, Any]]:
        return [
            {"code": code, "name": name_of(code), "targets": targets}
            for code, targets in self._models.targets().items()
        ]

    async def settings(self, request: Request) -> Response:
        """What a page for people has to know."""
        return Plain(self._settings())

    def _settings(self) -> dict[str, Any]:
        first = next(iter(self._models))
        language = {
            side: {"code": code, "name": name_of(code)}
            for side, code in (("source", first.source), ("target", first.target))
        }
        return {
            "apiKeys": self._admission.has_keys,
            "charLimit": self._options.characters,
            "filesTranslation": self._options.files > 0,
            "frontendTimeout": 500,
            "keyRequired": self._options.require_key,
            "language": language,
            "suggestions": False,
            "supportedFilesFormat": [f".{ending}" for ending in ENDINGS],
        }

    async def health(self, request: Request) -> Response:
        """Whether the server is well."""
        return Plain(WELL)

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus."""
        self._admission.admit_to_metrics(request)
        return Response(self._server.metrics.text(), media_type="text/plain; version=0.0.4")

    async def translate_file(self, request: Request) -> Response:
        """Translate a document; its layout stays."""
        fields = await read_fields(request)
        file = fields.get("file")
        if not isinstance(file, UploadFile):
            raise Refused(400, "Invalid request: missing file parameter")
        source, target = text_field(fields, "source"), text_field(fields, "target")
        ending = (file.filename or "").rpartition(".")[2].lower()
        check_ending(ending)
        if is_auto(source):
            guess_source(self._models, "", target)
        elif not is_there_already(self._models, source, target):
            self._models.get(source, target)
        read_terms(fields)  # which may be wrong: better said now
        self._admission.admit(request, fields.get("api_key"))
        with self._server.desk.place() as place:
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
        self._server.metrics.characters += opened.characters
        source, target = text_field(fields, "source"), text_field(fields, "target")
        if is_auto(source):
            source = guess_source(self._models, opened.beginning, target).language
        if is_there_already(self._models, source, target):
            return data
        served = self._models.get(source, target)
        options = TranslationOptions(wishes=await read_wishes(fields))
        return await translate_document(served, opened.document, place, options)

    async def download_file(self, request: Request) -> Response:
        """A document that was translated."""
        name = request.path_params["name"]
        content = self._server.shelf.get(name)
        if content is None:
            raise Refused(404, "there is no such file, or not any more")
        headers = {"Content-Disposition": "attachment"}  # by the name that its address has
        return Response(content, media_type="application/octet-stream", headers=headers)


class _Opened(NamedTuple):
    """A file of a size that is allowed."""

    document: Translatable[bytes]
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


def _answer(asked: Asked, found: list[list[Translated]], guesses: list[Guess]) -> dict[str, Any]:
    """A list for a list."""

    def shaped(values: list[Any]) -> Any:
        return values if asked.is_list else values[0]

    answer = {"translatedText": shaped([translations[0].text for translations in found])}
    if guesses:
        answer["detectedLanguage"] = shaped([guess.to_data() for guess in guesses])
    if asked.alternatives:
        others = [[other.text for other in translations[1:]] for translations in found]
        answer["alternatives"] = shaped(others)
    return answer
