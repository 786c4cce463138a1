"""The forms of answers, and of what is answered instead."""

from __future__ import annotations

from typing import Any

from heedful.serve.options import ServeOptions
from heedful.serve.refused import busy

Schema = dict[str, Any]
JSON = "application/json"
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_SPAN: Schema = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0},
    "minItems": 2,
    "maxItems": 2,
    "description": "First character, and the one behind the last",
}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _either(one: Schema, told: str) -> Schema:
    """As it is for a text, or a list for a list."""
    return {"anyOf": [one, _list(one)], "description": told}


def _object(properties: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _told(schema: Schema, description: str) -> Schema:
    return schema | {"description": description}


_GUESS = _object(
    {
        "confidence": {"type": "number", "minimum": 0, "maximum": 100},
        "language": _told(_TEXT, "Its code"),
    }
)
TRANSLATE = _object(
    {
        "translatedText": _either(_TEXT, "A list for a list"),
        "detectedLanguage": _either(_GUESS, "If source was auto; a list for a list"),
        "alternatives": _either(_list(_TEXT), "If some were asked for; a list for each of a list"),
    },
    optional=("detectedLanguage", "alternatives"),
)
DETECT = _list(_GUESS)
LANGUAGES = _list(_object({"code": _TEXT, "name": _TEXT, "targets": _list(_TEXT)}))
TRANSLATE_FILE = _object(
    {"translatedFileUrl": _told(_TEXT, "Where the translated file can be fetched")}
)
HEALTH = _object({"status": {"const": "ok"}})
_LANGUAGE = _object({"code": _TEXT, "name": _TEXT})
SETTINGS = _object(
    {
        "apiKeys": {"type": "boolean"},
        "charLimit": {"type": "integer"},
        "filesTranslation": {"type": "boolean"},
        "frontendTimeout": {"type": "integer"},
        "keyRequired": {"type": "boolean"},
        "language": _object({"source": _LANGUAGE, "target": _LANGUAGE}),
        "suggestions": {"type": "boolean"},
        "supportedFilesFormat": _list(_TEXT),
    }
)
_SCORE = _told(_NUMBER, "Log-probability, by the model's own length penalty; 0 is certain")
_LINK = _object(
    {
        "source": _SPAN,
        "target": _SPAN,
        "score": {"type": "number", "description": "Share of the attention, up to 1"},
    }
)
_TRANSLATION = _object(
    {
        "text": _TEXT,
        "score": _SCORE,
        "alternatives": _told(
            _list(_object({"text": _TEXT, "score": _SCORE})), "If some were asked for"
        ),
        "links": _told(_list(_LINK), "If align was asked for"),
        "detectedLanguage": _told(_GUESS, "If source was auto"),
    },
    optional=("alternatives", "links", "detectedLanguage"),
)
V1_TRANSLATE = {"anyOf": [_TRANSLATION, _list(_TRANSLATION)]}
V1_STREAM = _object(
    {
        "event": {"enum": ["piece", "done", "error"]},
        "data": _told(
            _TEXT,
            "JSON: {text} of a piece; {text} of all, and detectedLanguage if source was auto; "
            "{error}",
        ),
    }
)
V1_RECORD = _object(
    {
        "format": {"type": "integer"},
        "model": _told(_TEXT, "Its shape"),
        "source": _TEXT,
        "target": _TEXT,
        "source_pieces": _list(_TEXT),
        "target_pieces": _list(_TEXT),
        "target_ids": _list({"type": "integer"}),
        "languages": _list(_TEXT),
        "alignment_layer": _told(
            {"type": ["integer", "null"]},
            "Whose attention tells best which words belong together, from 1; null without any",
        ),
        "attentions": _told(
            _list({"type": "object"}),
            "What each layer's heads look at; of a model without attention one of kind saliency, "
            "which its gradients tell",
        ),
        "predictions": _told(
            _list(_list({"type": "object"})), "The likeliest pieces of each place"
        ),
        "search": _told(_list({"type": "object"}), "What the beam kept at each step"),
    }
)

RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    }
}


def done(schema: Schema, kind: str = JSON) -> Schema:
    """The answer that was hoped for."""
    return {"description": "Done", "content": {kind: {"schema": schema}}}


def refusal(description: str, example: str, headers: Schema | None = None) -> Schema:
    """An answer that tells what is wrong."""
    content = {JSON: {"schema": _object({"error": _TEXT}), "example": {"error": example}}}
    told = {"description": description, "content": content}
    return told | {"headers": headers} if headers else told


def always(options: ServeOptions) -> dict[str, Schema]:
    """What any request may be answered."""
    return {
        "400": refusal(
            "Something in the request is wrong, or over its limit; the error says what",
            "Invalid request: missing source parameter",
        ),
        "408": refusal("The request came too slowly", "the request came too slowly"),
        "429": refusal(
            "Too fast, or too many connections",
            f"too fast: {options.rate or ServeOptions.rate} requests a minute, each text of a list "
            f"is one",
            RETRY_AFTER,
        ),
        "431": refusal("The headers are too large", "the headers are too large"),
        "500": refusal("A fault of the server; its log says which", "internal error"),
        "503": refusal("Too much to do", str(busy(1.0)), RETRY_AFTER),
    }


def to_work(options: ServeOptions, most: int) -> dict[str, Schema]:
    """What a request that wants something done may be answered; it may have so many bytes."""
    return {
        **always(options),
        "403": refusal("The API key is wrong", "Invalid API key"),
        "413": refusal(
            f"More than {most:,} bytes, or not done in time: send less",
            f"the request is too large: {most:,} bytes at most",
        ),
    }
