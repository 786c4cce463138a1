"""The fields of requests, with the languages and limits of a running server."""

from __future__ import annotations

from typing import Any

from heedful.documents.formats import ENDINGS
from heedful.serve.http.wishes import MOST_TERMS
from heedful.serve.options import WIDEST_BEAM
from heedful.serve.server import Server
from heedful.serve.sources import AUTO
from heedful.terminology import LONGEST_TERM

Schema = dict[str, Any]
Fields = dict[str, Schema]
_TERM = {"type": "string", "minLength": 1, "maxLength": LONGEST_TERM}
_KEY = {"type": ["string", "null"], "description": "An API key, where the server wants one"}


class Requests:
    """Each field of a request by its name."""

    def __init__(self, server: Server) -> None:
        options = server.options
        most = options.characters
        self._options = options
        self._languages = _languages(server.models.targets())
        self._text: Schema = {"type": "string", "minLength": 1, "maxLength": most}
        self._texts: Schema = {
            "description": f"A text, or a list of texts; {most:,} characters in all",
            "anyOf": [
                self._text,
                {
                    "type": "array",
                    "items": {"type": "string", "maxLength": most},
                    "minItems": 1,
                    "maxItems": options.texts,
                },
            ],
        }
        self._one_text = self._text | {"description": "The text"}
        self._search: Fields = {
            "beam": {
                "type": "integer",
                "minimum": 1,
                "maximum": WIDEST_BEAM,
                "description": "Hypotheses kept at each step; the model's own number unless given. "
                "More than the alternatives, if some are asked for",
            },
            "prefix": {
                "type": "string",
                "maxLength": most,
                "description": "The translation begins with these characters, which count as the "
                "text's do. It should end where a word does, without a space",
            },
        }

    def translate(self) -> Fields:
        """Of /translate: LibreTranslate's, and a glossary."""
        return {
            "q": self._texts,
            **self._languages,
            **self._form_and_number(),
            **_terms(),
            **_key(),
        }

    def detect(self) -> Fields:
        """Of /detect."""
        return {"q": self._one_text, **_key()}

    def translate_file(self) -> Fields:
        """Of /translate_file."""
        options = self._options
        told = (
            f"A file whose name ends in {', '.join(ENDINGS)}; {options.file:,} bytes, "
            f"{options.unpacked:,} unpacked, {options.file_characters:,} characters of text, "
            f"{options.tags:,} tags at most"
        )
        file = {"type": "string", "format": "binary", "description": told}
        more = {name: in_a_form(name, field) for name, field in (_terms() | _key()).items()}
        return {"file": file, **self._languages, **more}

    def v1_translate(self) -> Fields:
        """Of /v1/translate."""
        align = {
            "type": "boolean",
            "default": False,
            "description": "Tell which words belong together. Goes with format text, and with "
            "models that have attention",
        }
        wishes = self._form_and_number() | self._search | _terms()
        return {"text": self._texts, **self._languages, **wishes, "align": align, **_key()}

    def v1_stream(self) -> Fields:
        """Of /v1/stream."""
        return {"text": self._one_text, **self._languages, **self._search, **_key()}

    def v1_record(self) -> Fields:
        """Of /v1/record."""
        return {"text": self._one_text, **self._languages, **_key()}

    def _form_and_number(self) -> Fields:
        return {
            "format": {
                "enum": ["text", "html"],
                "default": "text",
                "description": "Whether tags are to stay, and what is between them translated",
            },
            "alternatives": {
                "type": "integer",
                "minimum": 0,
                "maximum": self._options.alternatives,
                "default": 0,
                "description": "Other translations, at most; fewer if fewer were found",
            },
        }


def _languages(targets: dict[str, list[str]]) -> Fields:
    able = [code for code, some in targets.items() if some]
    return {
        "source": {
            "enum": [*able, AUTO],
            "description": "Code of the text's language, in any case; auto finds it out",
        },
        "target": {
            "enum": list(dict.fromkeys(code for some in targets.values() for code in some)),
            "description": "Code of the language to translate to, in any case",
        },
    }


def _terms() -> Fields:
    return {
        "glossary": {
            "type": "object",
            "additionalProperties": _TERM,
            "propertyNames": _TERM,
            "maxProperties": MOST_TERMS,
            "description": "Terms of the source, and what each is called in the translation; in a "
            "form or a query it is JSON",
        },
        "keep": {
            "description": "A term that is not translated, or a list of them; in a form or "
            "a query the list is JSON",
            "anyOf": [_TERM, {"type": "array", "items": _TERM, "maxItems": MOST_TERMS}],
        },
    }


def _key() -> Fields:
    return {"api_key": _KEY}


def in_a_form(name: str, field: Schema) -> Schema:
    """The same where there is nothing but texts: the first of several kinds, without null."""
    told = {"description": field["description"]} if "description" in field else {}
    if name == "keep":
        return told | {"type": "string"}  # a list is longer than a term may be
    if "anyOf" in field:
        return {**told, **field["anyOf"][0]}
    if name == "glossary":
        return told | {"type": "string", "contentMediaType": "application/json"}
    return field | {"type": "string"} if name == "api_key" else field
