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
REFUSALS = {
    "400": {"description": "Something in the request is wrong; the error says what", **_ERROR},
    "403": {"description": "The API key is wrong", **_ERROR},
    "413": {"description": "The request is too large, or takes too long", **_ERROR},
    "429": {"description": "Too fast; Retry-After says when to come again", **_ERROR},
    "503": {"description": "Too much to do; Retry-After says when to come again", **_ERROR},
}
_KEY = {"api_key": {"type": ["string", "null"]}}


def request_of(
    properties: dict[str, Any], required: list[str], answer: dict[str, Any]
) -> dict[str, Any]:
    """A request as JSON or as a form, and its answers."""
    schema = {"type": "object", "properties": properties | _KEY, "required": required}
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        },
        "responses": {
            "200": {"description": "Done", "content": {"application/json": {"schema": answer}}},
            **REFUSALS,
        },
    }


_GUESS = {
    "type": "object",
    "properties": {"confidence": {"type": "number"}, "language": {"type": "string"}},
    "required": ["confidence", "language"],
}
TRANSLATE = request_of(
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


def answer_of(schema: dict[str, Any], kind: str = "application/json") -> dict[str, Any]:
    """A request that says nothing, and its answer."""
    done = {"description": "Done", "content": {kind: {"schema": schema}}}
    return {"responses": {"200": done}}


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
DETECT = request_of({"q": _TEXT}, ["q"], {"type": "array", "items": _GUESS})
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
V1_STREAM = request_of(
    {"text": _TEXT, **_PAIR, "beam": {"type": "integer", "minimum": 1},
     "prefix": {"type": "string"}},
    ["text", "source", "target"],
    {},
)  # fmt: skip
V1_RECORD = request_of({"text": _TEXT, **_PAIR}, ["text", "source", "target"], {"type": "object"})
