"""Codes and names of languages, and the words that models know them by."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from heedful.errors import InputError, did_you_mean
from heedful.text.compression import COMPRESSED
from heedful.text.special import SPACE

LANGUAGE_WORD: Final = re.compile(r">>[^<>\s]+<<")
"""As >>deu<<: the models of OPUS-MT that write several languages are told by one which to write."""

_TABLE = """
    ar ara Arabic, az aze Azerbaijani, be bel Belarusian, bg bul Bulgarian, bn ben Bengali,
    bs bos Bosnian, ca cat Catalan, cs ces/cze Czech, cy cym/wel Welsh, da dan Danish,
    de deu/ger German, el ell/gre Greek, en eng English, eo epo Esperanto, es spa Spanish,
    et est Estonian, eu eus/baq Basque, fa fas/per Persian, fi fin Finnish, fr fra/fre French,
    ga gle Irish, gl glg Galician, gu guj Gujarati, he heb Hebrew, hi hin Hindi, hr hrv Croatian,
    hu hun Hungarian, hy hye/arm Armenian, id ind Indonesian, is isl/ice Icelandic, it ita Italian,
    ja jpn Japanese, ka kat/geo Georgian, kk kaz Kazakh, km khm Khmer, kn kan Kannada,
    ko kor Korean, ky kir Kyrgyz, la lat Latin, lo lao Lao, lt lit Lithuanian, lv lav Latvian,
    mk mkd/mac Macedonian, ml mal Malayalam, mn mon Mongolian, mr mar Marathi, ms msa/may Malay,
    mt mlt Maltese, my mya/bur Burmese, nb nob Norwegian Bokmål, ne nep Nepali, nl nld/dut Dutch,
    nn nno Norwegian Nynorsk, no nor Norwegian, pa pan Punjabi, pl pol Polish, ps pus Pashto,
    pt por Portuguese, pt-br por-br Portuguese (Brazil), ro ron/rum Romanian, ru rus Russian,
    si sin Sinhala, sk slk/slo Slovak, sl slv Slovenian, sq sqi/alb Albanian, sr srp Serbian,
    sv swe Swedish, sw swa Swahili, ta tam Tamil, te tel Telugu, tg tgk Tajik, th tha Thai,
    tl tgl Tagalog, tr tur Turkish, tt tat Tatar, uk ukr Ukrainian, ur urd Urdu, uz uzb Uzbek,
    vi vie Vietnamese, yi yid Yiddish, zh zho/chi Chinese, zh-hans zho-hans Chinese (simplified),
    zh-hant zho-hant Chinese (traditional), zu zul Zulu
"""
_ENTRIES = [" ".join(entry.split()).split(" ", 2) for entry in _TABLE.split(",")]
NAMES: Final = {code: name for code, _, name in _ENTRIES}
_LONG: Final = {long: code for code, codes, _ in _ENTRIES for long in codes.split("/")}
"""Codes of three letters, both of a language that has two."""
_BY_NAME: Final = {name.lower(): code for code, name in NAMES.items()}
_COUNTRIES: Final = {"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "kr": "ko"}
"""Codes of countries that are taken for those of their languages."""
_WELL_FORMED = re.compile(r"([a-z]{2,3})((?:-[a-z0-9]{1,8})*)", re.IGNORECASE)


def name_of(code: str) -> str:
    """In English; the code itself if it has no name here."""
    return NAMES.get(code.lower(), code)


def known_code(word: str) -> str | None:
    """The code of a language in `NAMES`, by this code, one of three letters, or its English name;
    None if it is none of them."""
    word = word.strip().lower()
    return word if word in NAMES else _LONG.get(word) or _BY_NAME.get(word)


def language_code(word: str, side: str) -> str:
    """What a user calls the language of a side, as a code: ko for kor and Korean, pt-BR for pt_BR.
    Codes that are not in `NAMES` pass; InputError for what is no code."""
    word = word.strip()
    match = _WELL_FORMED.fullmatch(word.replace("_", "-"))
    if match:
        return _LONG.get(match[1].lower(), match[1].lower()) + match[2]
    if code := known_code(word):
        return code
    near = did_you_mean(word.lower(), [*_BY_NAME, *_LONG])
    raise InputError(
        f"{side} language {word!r} is not a language code{near}: write one of two or three "
        f"letters, such as ko, pt-BR or yue, or an English name, such as Korean"
    )


def warning_about(code: str, side: str) -> str | None:
    """Of a code that may be a slip: its language is not in `NAMES`, which is no error."""
    language = code.partition("-")[0].lower()
    if language in NAMES:
        return None
    meant = _COUNTRIES.get(language)
    hint = f". The code of {NAMES[meant]} is {meant}" if meant else ""
    return f"{side} language {code!r} is none that heedful knows; it is kept as it is{hint}"


def of_files(*names: str | None) -> list[str]:
    """The codes that files end with, as train.en and train.de.gz do; none if not all do, or if two
    are the same."""
    codes = [language_of_file(name) for name in names if name is not None]
    found = [code for code in codes if code]
    return found if len(found) == len(names) == len(set(found)) else []


def language_of_file(path: str | Path) -> str | None:
    """The code that a file's name ends with, as train.en and train.deu.gz do; None if it does
    not."""
    path = Path(path)
    inner = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return known_code(inner.suffix.removeprefix("."))


def as_word(piece: str) -> str:
    """A piece; of the one of a language's word, ▁>>deu<<, the word alone."""
    word = piece.removeprefix(SPACE)
    return word if LANGUAGE_WORD.fullmatch(word) else piece
