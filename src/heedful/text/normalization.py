"""NFC and nothing more, in Python and as a rule table that goes inside the tokenizer's file.

NFC joins a letter and its marks (e + ◌́ -> é, ᄒ + ᅡ + ᆫ -> 한) and alters nothing that a reader
could tell apart; NFKC would also turn ʰ into h and ½ into 1⁄2.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache
from itertools import permutations, product

_SURROGATE = re.compile("[\ud800-\udfff]")
_HANGUL = range(0xAC00, 0xD7A4)
_SYLLABLES = re.compile(f"[{chr(_HANGUL[0])}-{chr(_HANGUL[-1])}]+")


def nfc(text: str) -> str:
    """The text in NFC. A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", text))


def is_nfc(text: str) -> bool:
    """Whether `nfc` leaves the text, and hence every part of it, as it is."""
    if text.isascii():
        return True
    try:
        text.encode()  # a lone surrogate cannot be
    except UnicodeEncodeError:
        return False
    return unicodedata.is_normalized("NFC", text)


def to_jamo(text: str) -> str:
    """Each Hangul syllable as the letters that it is written with: 한 -> ᄒ + ᅡ + ᆫ. `nfc` joins
    them again."""
    return _SYLLABLES.sub(lambda found: unicodedata.normalize("NFD", found.group()), text)


def share_of_hangul(text: str) -> float:
    """How much of the text Hangul syllables are, from 0 to 1."""
    return sum(map(len, _SYLLABLES.findall(text))) / max(1, len(text))


@cache
def nfc_rules(*, jamo: bool = False) -> str:
    """NFC as SentencePiece's normalization_rule_tsv: code points in hex, TAB, what they become;
    or the same with Hangul syllables as jamo.

    SentencePiece replaces the longest matching spelling, left to right. Each left side here is not
    in NFC, and every part of a text in NFC is in NFC itself, so the table leaves such text alone.
    It knows the spellings of single characters; exotic piles of marks that join to no single
    character only Python puts in order, which is why `nfc` is always applied first.
    """
    rules = {
        spelling: normal
        for spelling in _letter_spellings() + ([] if jamo else _hangul_spellings())
        if (normal := unicodedata.normalize("NFC", spelling)) != spelling
    }
    if jamo:
        rules |= {syllable: to_jamo(syllable) for syllable in map(chr, _HANGUL)}
    return "".join(f"{_hex(left)}\t{_hex(right)}\n" for left, right in sorted(rules.items()))


def _letter_spellings() -> list[str]:
    """Every decomposable character in all its forms: ộ, ô + ◌̣, ọ + ◌̂, o + ◌̂ + ◌̣, o + ◌̣ + ◌̂."""
    same: dict[str, list[str]] = defaultdict(list)  # NFD form -> the characters that mean it
    for code in range(0x110000):
        decomposed = unicodedata.normalize("NFD", chr(code))
        if code not in _HANGUL and decomposed != chr(code):
            same[decomposed].append(chr(code))
    spellings = []
    for decomposed, characters in same.items():
        spellings += characters
        for marks in permutations(decomposed[1:]):
            letters = decomposed[0] + "".join(marks)
            if unicodedata.normalize("NFD", letters) != decomposed:
                continue  # marks of one class may not change places: it would be other text
            spellings.append(letters)
            for end in range(1, len(letters)):
                start = unicodedata.normalize("NFD", letters[:end])
                spellings += [composed + letters[end:] for composed in same.get(start, [])]
    return spellings


def _hangul_spellings() -> list[str]:
    """Every syllable as jamo: L + V, L + V + T, and the half-composed LV + T."""
    leads, vowels = map(chr, range(0x1100, 0x1113)), map(chr, range(0x1161, 0x1176))
    tails = [chr(code) for code in range(0x11A8, 0x11C3)]
    spellings = []
    for open_jamo in map("".join, product(leads, vowels)):
        open_syllable = unicodedata.normalize("NFC", open_jamo)
        spellings.append(open_jamo)
        spellings += [start + tail for start in (open_jamo, open_syllable) for tail in tails]
    return spellings


def _hex(text: str) -> str:
    return " ".join(f"{ord(character):X}" for character in text)
