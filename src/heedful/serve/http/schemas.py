"""What the OpenAPI document says of requests that are read by hand, field by field."""

from __future__ import annotations

from typing import Any

_TEXT = {"type": "string", "minLength": 1}
_TEXTS = {"anyOf": [_TEXT, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
_ERROR = {
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "properties": {"error": {"type": "string"}},
                "required": ["error"],
            }
        }
    }
}
AT_ALL = {
    "400": {"description": "Something in the request is wrong; the error says what", **_ERROR},
    "408": {"description": "The request came too slowly", **_ERROR},
    "429": {"description": "Too fast; Retry-After says when to come again", **_ERROR},
    "431": {"description": "The headers are too large", **_ERROR},
    "500": {"description": "A fault of the server", **_ERROR},
    "503": {"description": "Too much to do; Retry-After says when to come again", **_ERROR},
}
"""What any request may be answered."""
REFUSALS = {
    **AT_ALL,
    "403": {"description": "The API key is wrong", **_ERROR},
    "413": {"description": "The request is too large, or takes too long", **_ERROR},
}
_KEY = {"api_key": {"type": ["string", "null"]}}
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"


def request_of(
    properties: dict[str, Any], required: list[str], answer: dict[str, Any], kind: str = _JSON
) -> dict[str, Any]:
    """A request as JSON, and its answers."""
    schema = {"type": "object", "properties": properties | _KEY, "required": required}
    return {
        "requestBody": {"required": True, "content": {_JSON: {"schema": schema}}},
        "responses": {
            "200": {"description": "Done", "content": {kind: {"schema": answer}}},
            **REFUSALS,
        },
    }


def or_as_form(request: dict[str, Any], **changed: dict[str, Any]) -> dict[str, Any]:
    """The same request also as a form, which has but one text."""
    content = request["requestBody"]["content"]
    own = content[_JSON]["schema"]
    properties = own["properties"] | {"api_key": {"type": "string"}} | changed
    content[_FORM] = {"schema": own | {"properties": properties}}
    return request


_GUESS = {
    "type": "object",
    "properties": {"confidence": {"type": "number"}, "language": {"type": "string"}},
    "required": ["confidence", "language"],
}
_TRANSLATE = request_of(
    {
        "q": _TEXTS,
        "source": {**_TEXT, "examples": ["en", "auto"]},
        "target": {**_TEXT, "examples": ["de"]},
        "format": {"enum": ["text", "html"], "default": "text"},
        "alternatives": {"type": "integer", "minimum": 0, "default": 0},
    },
    ["q", "source", "target"],
    {"type": "object", "required": ["translatedText"]},
)
TRANSLATE = or_as_form(_TRANSLATE, q=_TEXT)


def answer_of(schema: dict[str, Any], kind: str = "application/json") -> dict[str, Any]:
    """A request that says nothing, and its answer."""
    done = {"description": "Done", "content": {kind: {"schema": schema}}}
    return {"responses": {"200": done, **AT_ALL}}


_LANGUAGE = {
    "type": "object",
    "required": ["code", "name", "targets"],
    "properties": {
        "code": {"type": "string"},
        "name": {"type": "string"},
        "targets": {"type": "array", "items": {"type": "string"}},
    },
}
LANGUAGES = answer_of({"type": "array", "items": _LANGUAGE})
ANYTHING = answer_of({"type": "object"})
METRICS = answer_of({"type": "string"}, "text/plain")
METRICS["responses"]["403"] = REFUSALS["403"]
DOWNLOAD = answer_of({"type": "string", "format": "binary"}, "application/octet-stream")
DOWNLOAD["responses"]["404"] = {"description": "There is no such file", **_ERROR}
TRANSLATE_FILE = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "source", "target"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "source": _TEXT,
                        "target": _TEXT,
                        "api_key": {"type": "string"},
                    },
                }
            }
        },
    },
    "responses": {
        "200": {
            "description": "Done",
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "required": ["translatedFileUrl"],
                        "properties": {"translatedFileUrl": {"type": "string"}},
                    }
                }
            },
        },
        **REFUSALS,
    },
}
DETECT = or_as_form(request_of({"q": _TEXT}, ["q"], {"type": "array", "items": _GUESS}))
_PAIR = {"source": {**_TEXT, "examples": ["en"]}, "target": {**_TEXT, "examples": ["de"]}}
_SPAN = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
_TRANSLATION = {
    "type": "object",
    "required": ["text", "score"],
    "properties": {
        "text": {"type": "string"},
        "score": {"type": "number"},
        "alternatives": {"type": "array", "items": {"type": "object"}},
        "links": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"source": _SPAN, "target": _SPAN, "score": {"type": "number"}},
            },
        },
    },
}
V1_TRANSLATE = request_of(
    {
        "text": _TEXTS,
        **_PAIR,
        "format": {"enum": ["text", "html"], "default": "text"},
        "alternatives": {"type": "integer", "minimum": 0, "default": 0},
        "beam": {"type": "integer", "minimum": 1},
        "prefix": {"type": "string", "description": "The translation begins with this"},
        "glossary": {"type": "object", "additionalProperties": {"type": "string"}},
        "keep": {"type": "array", "items": {"type": "string"}},
        "align": {"type": "boolean", "description": "Tell which words belong together"},
    },
    ["text", "source", "target"],
    {"anyOf": [_TRANSLATION, {"type": "array", "items": _TRANSLATION}]},
)
_EVENT = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {"enum": ["piece", "done", "error"]},
        "data": {"type": "string", "description": "JSON: {text}, or {error}"},
    },
}
V1_STREAM = request_of(
    {"text": _TEXT, **_PAIR, "beam": {"type": "integer", "minimum": 1},
     "prefix": {"type": "string"}},
    ["text", "source", "target"],
    _EVENT,
    "text/event-stream",
)  # fmt: skip
V1_RECORD = request_of({"text": _TEXT, **_PAIR}, ["text", "source", "target"], {"type": "object"})
