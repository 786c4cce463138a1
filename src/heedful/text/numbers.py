"""How numbers are written: with points and commas, as dates and times, with a sign."""

from __future__ import annotations

import re
from typing import Final

from heedful.text.scripts import ALONE

_YEAR = r"(?:1[5-9]|20)[0-9]{2}"
_RANGE = rf"(?: {_YEAR}-{_YEAR} | [0-9]++(?<=0)-[0-9]++(?<=0) )(?![0-9])"  # 1990-1995, 100-150
_SERIAL = rf"(?!{_RANGE}) [0-9]{{3,}}+-[0-9]{{3,}}+ (?! -?\w | [.,:/][0-9] )"
DIGITS: Final = rf"""
    (?: {_SERIAL}                                           # 555-1234
      | [0-9]++ (?> (?: [\u00a0\u202f'’] [0-9]{{3}}(?![0-9]) )* )     # 7, 1 000, 1'000
        (?> (?:-[0-9]++){{2,}} | (?:[.,:/][0-9]++)* ) )     # 2024-05-01; 3.14, 1,000.50, 12:30, 1/2
"""
"""For verbose patterns. Of 10-15, which is "10 bis 15" in German, both numbers are found."""
SIGN: Final = r"(?: (?<![\w)-])[-−+] )?"
"""Nothing is subtracted, and no word goes on."""
NUMBER: Final = re.compile(SIGN + DIGITS, re.VERBOSE)

_THOUSANDS = re.compile(r"(?<=[0-9])[.,'’\u00a0\u202f ](?=[0-9]{3}(?![0-9]))")
_SEPARATOR = re.compile(r"(?<=[0-9])[.,:/-](?=[0-9])")


def plain(number: str) -> str:
    """The same for a number whatever separates its digits: 10,000, 10.000 and 10 000."""
    return _SEPARATOR.sub(".", _THOUSANDS.sub("", number)).replace("−", "-")


def is_date_or_time(number: str) -> bool:
    """Or a fraction: what has parts that no point or comma separates."""
    return any(mark in number[1:] for mark in "-:/")


# What makes an ordinal of a number, which languages write each in its own way: 3rd is 3. in German.
ORDINAL: Final = r"""
    (?: st | nd | rd | th | er | re | ère | e | è | ème | eme | de | ste )(?!\w) | [ºª]
  | °(?![ \u00a0\u202f]?[CFK0-9])                            # n. 5°, but 20°C
  | :[ae](?!\w) | -(?: й | я | е | ю | х | м | го | му | ом | ой | ую | ые | ых )(?!\w)
  | (?<![0-9.,]{3})\.(?=\s+[^\W\d])                         # am 3. Mai, but not at the end
"""
UNCLEAR: Final = r"[0-9]{1,3}(?>(?:[ ][0-9]{3}(?![0-9]))+)(?:[.,][0-9]++)?"
"""3 200 may be one number or two."""
RANGE: Final = r"[0-9]++–[0-9]++(?![\w–])"
"""10–20, which may be "10 bis 20"."""
# What multiplies it, or makes a month of it: 5k is 5.000, 3万 is 30,000, 3月 is March.
MULTIPLE: Final = r"(?: [kKM] | [mbt]n | mio | mrd )(?!\w) | [百千万萬億亿兆月십백천만억조월]"
_HOUR = r"(?:1[0-2]|0?[0-9]) (?:[:.][0-5][0-9])?"
SCIENTIFIC: Final = r"[0-9]++(?:[.,][0-9]++)?[eE][-+−]?[0-9]++(?!\w)"
MOMENT: Final = r"""
    [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2} (?: :[0-9]{2}(?:[.,][0-9]{1,9})? )?
    (?: Z | [-+][0-9]{2}:?[0-9]{2} )?(?!\w)                 # 2024-05-01T12:30:00Z
"""
HALF_DAY: Final = rf"""
    (?: {_HOUR} [ ]?[-–][ ]? )? {_HOUR} [ \u00a0\u202f]? [AaPp] (?: [Mm](?!\w) | \.[ ]?[Mm]\. )
"""
"""3:30 pm is 15:30 elsewhere."""
_SCORE: Final = re.compile(r"(1?[0-9]{1,2})[-–](1?[0-9]{1,2})(?![\w])(?![-–.,:/][0-9])")


def score_end(text: str, start: int) -> int:
    """Behind a score that begins there, or where it begins if it is none: 3-2 is 3:2 elsewhere,
    but 10-15 goes up, as ranges do."""
    score = _SCORE.match(text, start)
    return score.end() if score and int(score[1]) >= int(score[2]) else start


_SIGN_BEFORE: Final = re.compile(r"[$€£¥#]$|(?<!\w)[~≈±≤≥]$")
_SIGN_BEHIND: Final = re.compile(
    r"[ \u00a0\u202f]? (?: %(?![%\w(+#-]) | ‰ | [€$£¥](?![\w$€£¥]) | °[CFK]?(?!\w) )", re.VERBOSE
)


def signs(before: str, behind: str) -> tuple[str, str]:
    """Those that belong to a number, of what stands around it: $5, 20%, 20 °C."""
    first, last = _SIGN_BEFORE.search(before), _SIGN_BEHIND.match(behind)
    return first[0] if first else "", last[0] if last else ""


_NEAR = 16  # characters beside a number in which its sign is looked for, or a word for it
_ABOUT: Final = "about|approx|around|etwa|um die|ungefähr|rund|circa|ca\\b|environ|unos|около|약"
# As words begin for them, in the languages that are translated most.
_NAMES: Final = {
    "%": "pro[sz]ent|percent|per cent|pour cent|por cien|procent|процент|퍼센트|프로",
    "‰": "pro mille|promille|per mil|por mil|промилле",
    "$": "dollar|dólar|dolar|доллар|달러",
    "€": "euro|евро|유로",
    "£": "pound|pfund|livre|libra|sterlin|фунт|파운드",
    "¥": "yen|yuan|йен|иен|юан|엔|위안",
    "°": "grad|degr|°|град|도",
    "#": "number|nummer|numéro|número|numero|no\\b|nr\\b|№|номер|번",
    "~": _ABOUT,
    "≈": _ABOUT,
    "±": r"plus|плюс|\+/-",
    "≤": "at most|up to|höchstens|maximal|bis zu|au plus|jusqu|como máximo|не более|이하",
    "≥": "at least|mindestens|au moins|al menos|не менее|이상",
}


def lost_signs(wanted: tuple[str, str], text: str, span: tuple[int, int]) -> tuple[str, str]:
    """The signs of a number, as they are written onto it in the source, but for those that stand
    beside it here, perhaps a space away, and those that a word says ("Prozent")."""
    left, right = text[max(0, span[0] - _NEAR) : span[0]], text[span[1] : span[1] + _NEAR]
    first, last = (
        "" if sign and _stands_there(sign.strip()[0], left, right) else sign for sign in wanted
    )
    return first, last


def _stands_there(sign: str, left: str, right: str) -> bool:
    if sign in left.rstrip()[-1:] + right.lstrip()[:1]:
        return True
    names = rf"(?:{_NAMES[sign]})\w*"
    is_behind = re.match(rf"\W*{names}", right, re.IGNORECASE) is not None
    return is_behind or re.search(rf"(?<!\w){names}\W*$", left, re.IGNORECASE) is not None


_SPACED: Final = re.compile(rf"(?<![0-9.,:/]){UNCLEAR}", re.VERBOSE)
_IN_PARTS: Final = re.compile(rf"[-−+]?{UNCLEAR}|{RANGE}", re.VERBOSE)


def parts_of(number: str) -> list[str]:
    """Those of what may be one number or two (3 200, 10–20); of others none."""
    return re.split("[ –]", number) if _IN_PARTS.fullmatch(number) else []


def numbers_in(text: str) -> dict[str, list[tuple[int, int]]]:
    """Where each number stands, by what is the same for all its spellings. Those with a sign stand
    there without it too, and of 3:2 and 123-456 both: 3-2 and ranges are also written so."""
    found: dict[str, list[tuple[int, int]]] = {}
    for match in [*NUMBER.finditer(text), *_SPACED.finditer(text)]:
        start, end = match.span()
        if match[0][0].isdigit() and ALONE.match(text[start - 1 : start]):
            continue  # B5
        bare = match[0].lstrip("+-−")
        separator = "-" if bare.count("-") == 1 else ":"
        parts = bare.split(separator) if separator in bare else []
        for key in {plain(match[0]), plain(bare), *parts}:
            found.setdefault(key, []).append((start, end))
    return found
