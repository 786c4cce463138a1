"""Which encoding a text is in that is not UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

ENCODINGS: Final = {
    "cp1252": "Western European, Latin-1 is part of it",
    "iso-8859-15": "Western European, Latin-9",
    "cp949": "Korean, EUC-KR is part of it",
    "cp932": "Japanese, Shift JIS",
    "euc-jp": "Japanese",
    "gb18030": "Chinese, GBK and GB2312 are part of it",
    "big5-hkscs": "Chinese, Big5 is part of it",
    "cp1251": "Cyrillic",
    "koi8-r": "Russian",
    "koi8-u": "Ukrainian",
    "cp866": "Cyrillic of DOS",
    "iso-8859-5": "Cyrillic",
    "cp1250": "Central European",
    "iso-8859-2": "Central European, Latin-2",
    "cp1254": "Turkish",
    "cp1257": "Baltic",
    "cp1253": "Greek",
    "iso-8859-7": "Greek",
    "cp1255": "Hebrew",
    "cp1256": "Arabic",
    "cp874": "Thai",
}
"""By names that both Python and iconv know; one that contains others stands for them too."""

_SIGNS = "\u2010-\u203a€£§°©®™«»¡¿·\u3001-\u3020！-～"  # beside letters
_BESIDE_LATIN = re.compile(r"(?<=[a-z])[^\W\d_a-z]|[^\W\d_a-z](?=[a-z])")
_LAST_LATIN = "\u024f"
_NO_TEXT = 0.7  # below this share of letters of any one language, a reading is none
_FITS = 0.9  # share of the characters that are letters of the language, if it is that language
_CLEARLY = 0.05  # a difference of such shares that decides
_AS_CLEAN = 0.1  # a difference in charset-normalizer's share of mess that decides nothing
_FEWEST = 12  # bytes that are not ASCII: fewer of an unknown language say nothing for certain


@dataclass(frozen=True)
class Guess:
    """Encodings that a text may be in, likeliest first; readings that are the same are not
    repeated."""

    encodings: tuple[str, ...]
    is_sure: bool  # of the first
    is_too_short: bool = False  # to say which of them is likely


@dataclass(frozen=True)
class _Candidate:
    encoding: str
    text: str
    fit: float  # share of letters and signs of the language that it fits best
    is_expected: bool  # whether that is the language of the file
    mess: float  # charset-normalizer's: 0 if nothing about it is odd
    coherence: float  # charset-normalizer's: 1 if letters are as frequent as in a language


def guess_encoding(data: bytes, language: str | None = None) -> Guess:
    """Of text that is not UTF-8, without ASCII lines; `language` is the code of the language that
    it is likely in."""
    found = [c for c in _candidates(data, (language or "").lower()) if c.fit >= _NO_TEXT]
    if any(candidate.is_expected for candidate in found):
        found = [candidate for candidate in found if candidate.is_expected]
    cleanest = min((candidate.mess for candidate in found), default=0.0)
    found = [candidate for candidate in found if candidate.mess <= cleanest + _AS_CLEAN]
    found.sort(key=lambda c: (-round(c.fit, 2), round(c.mess, 2), -c.coherence))
    readings: dict[str, _Candidate] = {}
    for candidate in found:
        readings.setdefault(candidate.text, candidate)
    distinct = list(readings.values())
    is_sure = (
        bool(distinct)
        and distinct[0].fit >= _FITS
        and all(distinct[0].fit - other.fit > _CLEARLY for other in distinct[1:])
    )
    is_short = sum(byte > 0x7F for byte in data) < _FEWEST
    is_too_short = is_short and not any(candidate.is_expected for candidate in distinct)
    names = tuple(candidate.encoding for candidate in distinct)
    return Guess(names, is_sure and not is_too_short, is_too_short)


def _candidates(data: bytes, language: str) -> Iterator[_Candidate]:
    """All encodings in which this is text."""
    from charset_normalizer import from_bytes

    texts = {name: text for name in ENCODINGS if (text := _decoded(data, name)) is not None}
    if not texts:
        return
    matches = from_bytes(
        data, threshold=1.0, cp_isolation=list(texts), preemptive_behaviour=False,
        enable_fallback=False,
    )  # fmt: skip
    judged = {codecs.lookup(n).name: m for m in matches for n in m.could_be_from_charset}
    primary = language.partition("-")[0]  # zh of zh-hk
    for name, text in texts.items():
        of_name = ((codes, letters) for codes, names, letters in _languages() if name in names)
        fits = {codes: _fit(text, letters) for codes, letters in of_name}
        expected = [f for codes, f in fits.items() if {language, primary} & set(codes)]
        match = judged.get(codecs.lookup(name).name)
        yield _Candidate(
            name,
            text,
            fit=max(fits.values()),
            is_expected=max(expected, default=0.0) >= _FITS,
            mess=match.chaos if match else 1.0,
            coherence=match.coherence if match else 0.0,
        )


def _decoded(data: bytes, encoding: str) -> str | None:
    """The text; None if it is none in this encoding."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if re.search(r"[\x80-\x9f]", text) else text  # control characters


def _fit(text: str, letters: str) -> float:
    """Share of the characters beyond ASCII that are these letters or signs. Letters that are not
    Latin do not count beside one that is: few words are written in two scripts."""
    text = text.lower()
    if letters[0] > _LAST_LATIN:
        text = _BESIDE_LATIN.sub("\ufffd", text)
    others = re.sub(r"[\x00-\x7f\s]+", "", text)
    return 1 - len(re.sub(f"[{letters}{_SIGNS}]+", "", others)) / max(1, len(others))


@cache
def _languages() -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Codes of languages that have the same letters, their encodings, and their letters beyond
    ASCII: of Chinese, Japanese and Korean the frequent ones."""
    western, central = "cp1252 iso-8859-15", "cp1250 iso-8859-2"
    cyrillic = "cp1251 iso-8859-5"
    rows = [
        ("en", western, "àâçéèêëïîñôöü"),
        ("de", western, "äöüß"),
        ("fr", western, "àâæçéèêëîïôœùûüÿ"),
        ("es", western, "áéíñóúüºª"),
        ("pt", western, "àáâãçéêíóôõúüºª"),
        ("it", western, "àèéìíîòóù"),
        ("nl", western, "áâäçéèêëíïóôöúûü"),
        ("da no nb nn", western, "æøåéèêóòôäö"),
        ("sv fi", western, "åäöéàüšž"),
        ("et", western + " cp1257", "äöõüšž"),
        ("is", western, "áéíóúýþæöð"),
        ("ca", western, "àçèéíïòóúü"),
        ("ga gl eu sq", western, "áéíóúñüçë"),
        ("pl", central, "ąćęłńóśźż"),
        ("cs", central, "áčďéěíňóřšťúůýž"),
        ("sk", central, "áäčďéíĺľňóôŕšťúýž"),
        ("hu", central, "áéíóöőúüű"),
        ("ro", central, "ăâîşţ"),
        ("hr sl bs", central, "čćđšž"),
        ("tr", "cp1254", "çğıöşüâîû\u0307"),
        ("lt", "cp1257", "ąčęėįšųūž"),
        ("lv", "cp1257", "āčēģīķļņšūž"),
        ("ru", cyrillic + " koi8-r cp866", "а-яё"),
        ("uk be", cyrillic + " koi8-u", "а-яёєіїґў"),
        ("bg", cyrillic, "а-я"),
        ("sr mk", cyrillic, "а-шђјљњћџѓѕќѐѝ"),
        ("el", "cp1253 iso-8859-7", "ά-ώΐ"),
        ("he", "cp1255", "א-ת\u05b0-\u05c2"),
        ("ar fa", "cp1256", "ء-\u0652پچژگک"),
        ("th", "cp874", "ก-๛"),
        ("ko", "cp949", "ㄱ-ㅣ" + _characters("euc-kr", 0xB0, 0xC8)),
        ("ja", "cp932 euc-jp", "ぁ-ヿ々" + _characters("euc-jp", 0xB0, 0xCF)),
        ("zh", "gb18030", _characters("gb2312", 0xB0, 0xD7)),
        ("zh", "big5-hkscs", _characters("big5", 0xA4, 0xC6)),
    ]
    return [(tuple(codes.split()), tuple(names.split()), letters) for codes, names, letters in rows]


def _characters(encoding: str, first: int, last: int) -> str:
    """Characters of two bytes, of which the first is in this range: the frequent ones of an
    encoding stand together."""
    second = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    pairs = (bytes((one, two)) for one in range(first, last + 1) for two in second)
    decoded = (pair.decode(encoding, "ignore") for pair in pairs)
    return "".join(c for c in decoded if len(c) == 1 and not c.isascii())
