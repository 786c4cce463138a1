"""Reasons to doubt a score, found in the text: it looks tokenised, or another tokenizer fits it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from heedful.evaluation.names import Tokenize
from heedful.evaluation.pairs import Pairs
from heedful.text.normalization import share_of_hangul
from heedful.text.scripts import WITHOUT_SPACES

_SUSPICIOUS_LINES = 100
_MOSTLY = 0.5
"""The share of a script's characters from which a text is mostly in it."""

_SOME = 0.05
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def find_notes(pairs: Pairs, tokenize: Tokenize) -> tuple[str, ...]:
    """All notes on the scores of these pairs."""
    found = (
        tokenized_note(pairs.hypotheses) if tokenize != "none" else None,
        script_note(pairs.references) if tokenize == "13a" else None,
    )
    return tuple(note for note in found if note is not None)


def tokenized_note(hypotheses: Sequence[str]) -> str | None:
    """A warning if the text looks tokenised, by sacreBLEU's own rule (100 lines end in ' .')."""
    count = sum(line.endswith(" .") for line in hypotheses)
    if count < _SUSPICIOUS_LINES:
        return None
    return (
        f"{count} lines end in ' .', as tokenised text does; BLEU and chrF want detokenised text "
        "(ending in 'word.'), so these scores may not compare with published ones"
    )


def script_note(references: Sequence[str]) -> str | None:
    """Which tokenizer fits, if the text is mostly Korean or in a script without spaces."""
    text = "".join("".join(references).split())
    if share_of_hangul(text) > _MOSTLY:
        language, better = "Korean", "ko-mecab"
    elif _share(WITHOUT_SPACES, text) > _MOSTLY:
        if _share(_KANA, text) > _SOME:
            language, better = "Japanese", "ja-mecab"
        elif _share(_HAN, text) > _SOME:
            language, better = "Chinese", "zh"
        else:
            language, better = "in a script without spaces", "flores200"
    else:
        return None
    return (
        f"the references are mostly {language}, and BLEU's tokenizer 13a cuts at spaces and "
        f"punctuation only: --tokenize {better} fits them better"
    )


def _share(characters: re.Pattern[str], text: str) -> float:
    """How much of the text they are, from 0 to 1."""
    return len(characters.findall(text)) / max(1, len(text))
