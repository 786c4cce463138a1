"""Requests that work, and what the demo's model (`heedful demo`) answers to them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

SENTENCE = "The hen hesitated to cross the canal because it was injured."
OTHER = "The garden tempted the horse because it was full of flowers."
HTML = "<p>The hen hesitated to cross the <b>canal</b> because it was injured.</p>"
OF_DEMO = ("en", "fr")
FRENCH = "La poule a hésité à traverser le canal parce qu'elle était blessée."
GUESSES = [{"confidence": 97.5, "language": "en"}, {"confidence": 99.0, "language": "en"}]
TRANSLATED = {"translatedText": FRENCH, "alternatives": [FRENCH.replace("canal", "tunnel")]}
SEVERAL = {
    "translatedText": [FRENCH, "Le jardin tentait le cheval parce qu'il était plein de fleurs."],
    "detectedLanguage": GUESSES,
}
TAGGED = {"translatedText": f"<p>{FRENCH.replace('canal', '<b>fleuve</b>')}</p>"}
DETECTED = [GUESSES[0], {"confidence": 0.0, "language": "fr"}]
LINKED = {
    "text": FRENCH,
    "score": -0.104935,
    "links": [
        {"source": [0, 3], "target": [0, 2], "score": 0.4883},
        {"source": [4, 7], "target": [3, 8], "score": 0.9524},
        {"source": [18, 20], "target": [9, 10], "score": 0.4563},
        {"source": [8, 17], "target": [11, 17], "score": 0.2637},
        {"source": [48, 51], "target": [18, 19], "score": 0.3493},
        {"source": [21, 26], "target": [20, 29], "score": 0.2456},
        {"source": [27, 30], "target": [30, 32], "score": 0.4357},
        {"source": [31, 36], "target": [33, 38], "score": 0.9716},
        {"source": [37, 44], "target": [39, 44], "score": 0.2738},
        {"source": [27, 30], "target": [45, 52], "score": 0.2517},
        {"source": [45, 47], "target": [53, 58], "score": 0.2762},
        {"source": [52, 60], "target": [59, 67], "score": 0.3498},
    ],
}
CALLED = {
    "text": FRENCH.replace("poule", "cocotte"),
    "score": -0.104935,
    "alternatives": [
        {
            "text": FRENCH.replace("poule", "cocotte").replace("canal", "tunnel"),
            "score": -0.450914,
        }
    ],
}
BEGUN = {
    "text": FRENCH.replace("La poule", "Cette poule"),
    "score": -0.100754,
    "detectedLanguage": GUESSES[0],
}
STREAMED = {"event": "done", "data": json.dumps({"text": FRENCH}, ensure_ascii=False)}


@dataclass(frozen=True)
class Example:
    """A request by the names of its fields, and its answer if it is known."""

    summary: str
    request: dict[str, Any]
    answer: Any = None


class Examples:
    """Of a pair that the server has. What another model than the demo's answers is not known, and
    not told."""

    def __init__(self, source: str, target: str, *, attends: bool) -> None:
        self._pair = {"source": source, "target": target}
        self._detected = {"source": "auto", "target": target}
        self._attends = attends
        self._is_demo = (source, target) == OF_DEMO and attends

    def translate(self) -> list[Example]:
        """Of /translate."""
        return [
            self._example("A text", {"q": SENTENCE, **self._pair, "alternatives": 1}, TRANSLATED),
            self._example(
                "A list, from languages that are found out",
                {"q": [SENTENCE, OTHER], **self._detected},
                SEVERAL,
            ),
            self._example(
                "Tags, and a glossary",
                {"q": HTML, **self._pair, "format": "html", "glossary": {"canal": "fleuve"}},
                TAGGED,
            ),
        ]

    def detect(self) -> list[Example]:
        """Of /detect."""
        return [self._example("A text", {"q": SENTENCE}, DETECTED)]

    def translate_file(self) -> list[Example]:
        """Of /translate_file."""
        return [Example("A file with a sentence in it", {"file": f"{SENTENCE}\n", **self._pair})]

    def v1_translate(self) -> list[Example]:
        """Of /v1/translate. A prefix is in the target's language."""
        align = {"align": True} if self._attends else {}
        called = {"glossary": {"hen": "cocotte"}, "alternatives": 1}
        begun = {"text": SENTENCE, **self._detected, "prefix": "Cette poule"}
        return [
            self._example(
                "Which words belong together", {"text": SENTENCE, **self._pair, **align}, LINKED
            ),
            self._example(
                "A glossary, and another translation",
                {"text": SENTENCE, **self._pair, **called},
                CALLED,
            ),
            *([Example("A beginning", begun, BEGUN)] if self._is_demo else []),
        ]

    def v1_stream(self) -> list[Example]:
        """Of /v1/stream; its last event."""
        return [self._example("A text", {"text": SENTENCE, **self._pair, "beam": 4}, STREAMED)]

    def v1_record(self) -> list[Example]:
        """Of /v1/record; the answer is long."""
        return [Example("A text", {"text": SENTENCE, **self._pair})]

    def _example(self, summary: str, request: dict[str, Any], answer: Any) -> Example:
        return Example(summary, request, answer if self._is_demo else None)
