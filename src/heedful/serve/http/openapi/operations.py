"""What is told of each endpoint: its request in every encoding, its answers, examples of both."""

from __future__ import annotations

from typing import Any

from heedful.serve.http.fields import FORM, PARTS
from heedful.serve.http.openapi import answers
from heedful.serve.http.openapi.answers import JSON, Schema
from heedful.serve.http.openapi.examples import Example, Examples
from heedful.serve.http.openapi.requests import Fields, Requests, in_a_form
from heedful.serve.server import Server

LIBRETRANSLATE, OWN = "LibreTranslate's API", "More than that"
WAYS = "Fields come as JSON, as a form, or, if there is no body, in the query."


class Operations:
    """Of a running server, in OpenAPI's terms."""

    def __init__(self, server: Server) -> None:
        first = next(iter(server.models))
        self._options = server.options
        self._requests = Requests(server)
        self._examples = Examples(first.source, first.target, attends=first.card.model.attends)
        self._refusals = answers.to_work(server.options, server.options.body)

    def translate(self) -> Schema:
        """Of /translate."""
        told = f"{WAYS} Other fields are ignored, as LibreTranslate ignores them."
        fields, some = self._requests.translate(), self._examples.translate()
        return self._asked(LIBRETRANSLATE, told, fields, answers.done(answers.TRANSLATE), some)

    def detect(self) -> Schema:
        """Of /detect."""
        told = f"{WAYS} The languages that are served, the likeliest first."
        fields, some = self._requests.detect(), self._examples.detect()
        return self._asked(LIBRETRANSLATE, told, fields, answers.done(answers.DETECT), some)

    def translate_file(self) -> Schema:
        """Of /translate_file."""
        examples = self._examples.translate_file()
        fields = self._requests.translate_file()
        schema = _schema(fields, ["file", "source", "target"])
        content = {PARTS: {"schema": schema, "examples": _requests(examples)}}
        of_file = answers.to_work(self._options, self._options.file)
        return {
            "tags": [LIBRETRANSLATE],
            "requestBody": {"required": True, "content": content},
            "responses": {"200": _shown(answers.done(answers.TRANSLATE_FILE), examples), **of_file},
        }

    def download_file(self) -> Schema:
        """Of /download_file."""
        file = answers.done({"type": "string", "format": "binary"}, "application/octet-stream")
        there_is_none = "there is no such file, or not any more"
        gone = {"404": answers.refusal("There is no such file", there_is_none)}
        return self._got(file, more=gone)

    def languages(self, now: Any) -> Schema:
        """Of /languages; what it answers now is its example."""
        return self._got(_shown(answers.done(answers.LANGUAGES), [Example("Now", {}, now)]))

    def settings(self, now: Any) -> Schema:
        """Of /frontend/settings, the same way."""
        return self._got(_shown(answers.done(answers.SETTINGS), [Example("Now", {}, now)]))

    def health(self, now: Any) -> Schema:
        """Of /health, the same way."""
        return self._got(_shown(answers.done(answers.HEALTH), [Example("Now", {}, now)]))

    def metrics(self) -> Schema:
        """Of /metrics."""
        told = "Told to this machine alone, or to whoever sends the token, as a bearer's."
        wrong = {"403": answers.refusal("They are not for you", "Invalid bearer token")}
        figures = answers.done({"type": "string"}, "text/plain")
        return self._got(figures, more=wrong) | {"description": told}

    def v1_translate(self) -> Schema:
        """Of /v1/translate."""
        fields, some = self._requests.v1_translate(), self._examples.v1_translate()
        return self._asked(OWN, WAYS, fields, answers.done(answers.V1_TRANSLATE), some)

    def v1_stream(self) -> Schema:
        """Of /v1/stream."""
        told = f"{WAYS} What is sent can no longer change."
        fields, some = self._requests.v1_stream(), self._examples.v1_stream()
        events = answers.done(answers.V1_STREAM, "text/event-stream")
        return self._asked(OWN, told, fields, events, some)

    def v1_record(self) -> Schema:
        """Of /v1/record."""
        fields, some = self._requests.v1_record(), self._examples.v1_record()
        return self._asked(OWN, WAYS, fields, answers.done(answers.V1_RECORD), some)

    def _asked(
        self, tag: str, told: str, fields: Fields, done: Schema, examples: list[Example]
    ) -> Schema:
        """A request that may come in several encodings. One is the query, so there need be no
        body."""
        required: list[str] = [name for name in ("q", "text", "source", "target") if name in fields]
        textual = {name: in_a_form(name, field) for name, field in fields.items()}
        is_open = tag == LIBRETRANSLATE
        shown = _in_forms(examples)
        content = {
            JSON: {"schema": _schema(fields, required, is_open), "examples": _requests(examples)},
            FORM: {"schema": _schema(textual, required, is_open), "examples": _requests(shown)},
            PARTS: {"schema": _schema(textual, required, is_open), "examples": _requests(shown)},
        }
        return {
            "tags": [tag],
            "description": told,
            "parameters": [_parameter(name, field) for name, field in textual.items()],
            "requestBody": {"required": False, "content": content},
            "responses": {"200": _shown(done, examples), **self._refusals},
        }

    def _got(self, done: Schema, more: dict[str, Schema] | None = None) -> Schema:
        """A request that says nothing."""
        responses = {"200": done, **answers.always(self._options), **(more or {})}
        return {"tags": [LIBRETRANSLATE], "responses": responses}


def _schema(fields: Fields, required: list[str], is_open: bool = True) -> Schema:
    schema = {"type": "object", "properties": fields, "required": required}
    return schema if is_open else schema | {"additionalProperties": False}


def _parameter(name: str, field: Schema) -> Schema:
    schema = {key: value for key, value in field.items() if key != "description"}
    told = {"description": field["description"]} if "description" in field else {}
    return {"name": name, "in": "query", "required": False, **told, "schema": schema}


def _requests(examples: list[Example]) -> dict[str, Any]:
    return {
        f"example {number}": {"summary": example.summary, "value": example.request}
        for number, example in enumerate(examples, 1)
    }


def _in_forms(examples: list[Example]) -> list[Example]:
    """Those that have nothing but texts and numbers."""
    return [
        example
        for example in examples
        if not any(isinstance(value, list | dict) for value in example.request.values())
    ]


def _shown(answer: Schema, examples: list[Example]) -> Schema:
    """With what is answered to those requests."""
    ((kind, content),) = answer["content"].items()
    told = {
        f"example {number}": {"summary": example.summary, "value": example.answer}
        for number, example in enumerate(examples, 1)
        if example.answer is not None
    }
    return answer | {"content": {kind: content | {"examples": told}}} if told else answer
