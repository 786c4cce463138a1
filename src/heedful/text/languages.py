"""Names of languages, by the codes that clients send, and the words that models know them by."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from heedful.text.lines import COMPRESSED
from heedful.text.special import SPACE

LANGUAGE_WORD: Final = re.compile(r">>[^<>\s]+<<")
"""As >>deu<<: the models of OPUS-MT that write several languages are told by one which to write."""

_NAMES = """
    ar Arabic, az Azerbaijani, be Belarusian, bg Bulgarian, bn Bengali, bs Bosnian, ca Catalan,
    cs Czech, cy Welsh, da Danish, de German, el Greek, en English, eo Esperanto, es Spanish,
    et Estonian, eu Basque, fa Persian, fi Finnish, fr French, ga Irish, gl Galician, gu Gujarati,
    he Hebrew, hi Hindi, hr Croatian, hu Hungarian, hy Armenian, id Indonesian, is Icelandic,
    it Italian, ja Japanese, ka Georgian, kk Kazakh, km Khmer, kn Kannada, ko Korean, ky Kyrgyz,
    la Latin, lo Lao, lt Lithuanian, lv Latvian, mk Macedonian, ml Malayalam, mn Mongolian,
    mr Marathi, ms Malay, mt Maltese, my Burmese, nb Norwegian Bokmål, ne Nepali, nl Dutch,
    nn Norwegian Nynorsk, no Norwegian, pa Punjabi, pl Polish, ps Pashto, pt Portuguese,
    pt-br Portuguese (Brazil), ro Romanian, ru Russian, si Sinhala, sk Slovak, sl Slovenian,
    sq Albanian, sr Serbian, sv Swedish, sw Swahili, ta Tamil, te Telugu, tg Tajik, th Thai,
    tl Tagalog, tr Turkish, tt Tatar, uk Ukrainian, ur Urdu, uz Uzbek, vi Vietnamese, yi Yiddish,
    zh Chinese, zh-hans Chinese (simplified), zh-hant Chinese (traditional), zu Zulu
"""
NAMES = dict(entry.split(maxsplit=1) for entry in _NAMES.split(",") if entry.strip())


def name_of(code: str) -> str:
    """In English; the code itself if it has no name here."""
    return " ".join(NAMES.get(code.lower(), code).split())


def of_files(*names: str | None) -> list[str]:
    """The codes that files end with, as train.en and train.de.gz do; none if not all do, or if two
    are the same."""
    codes = [_ending(Path(name)) for name in names if name is not None]
    are_all = len(codes) == len(names) and all(code in NAMES for code in codes)
    return codes if are_all and len(set(codes)) == len(codes) else []


def _ending(path: Path) -> str:
    inner = path.with_suffix("") if path.suffix in COMPRESSED else path
    return inner.suffix.removeprefix(".").lower()


def as_word(piece: str) -> str:
    """A piece; of the one of a language's word, ▁>>deu<<, the word alone."""
    word = piece.removeprefix(SPACE)
    return word if LANGUAGE_WORD.fullmatch(word) else piece
