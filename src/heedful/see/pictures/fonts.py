"""Fonts that hold the characters of a text, or a clear word about what to install.

matplotlib draws an empty box and warns for each character that its fonts lack. Here every text
is matched with installed fonts first; what no font holds is replaced by a box and said once.
"""

from __future__ import annotations

import logging
import unicodedata
from functools import cache, lru_cache

_logger = logging.getLogger("heedful.see")

BASE = "DejaVu Sans"
"""Comes with matplotlib; Latin, Greek, Cyrillic, Arabic, Hebrew, phonetic signs, arrows."""
BOX = "□"

# Tried before other fonts: plain faces that people have chosen for reading.
_PREFERRED = (
    *("Noto Sans CJK KR", "Noto Sans CJK JP", "Noto Sans CJK SC", "NanumGothic"),
    *("Apple SD Gothic Neo", "Malgun Gothic", "Hiragino Sans", "Yu Gothic", "PingFang SC"),
    *("Microsoft YaHei", "IPAexGothic", "TakaoPGothic", "WenQuanYi Zen Hei"),
    *("Noto Sans", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Arabic", "Segoe UI"),
    *("Noto Emoji", "Segoe UI Emoji", "Symbola", "Arial Unicode MS"),
)

# First and last character of a script, its name, and the Debian package of a font for it.
_PACKAGES = (
    (0x1100, 0x11FF, "Korean", "fonts-nanum"),
    (0x3130, 0x318F, "Korean", "fonts-nanum"),
    (0xAC00, 0xD7FF, "Korean", "fonts-nanum"),
    (0x2E80, 0x312F, "Japanese or Chinese", "fonts-noto-cjk"),
    (0x31A0, 0x9FFF, "Japanese or Chinese", "fonts-noto-cjk"),
    (0xF900, 0xFAFF, "Japanese or Chinese", "fonts-noto-cjk"),
    (0xFF00, 0xFFEF, "Japanese or Chinese", "fonts-noto-cjk"),
    (0x20000, 0x323AF, "Japanese or Chinese", "fonts-noto-cjk"),
    (0x2600, 0x27BF, "symbols", "fonts-symbola"),
    (0x1F000, 0x1FAFF, "emoji", "fonts-symbola"),
)
_OTHER = ("other scripts", "fonts-noto-core")

# Packages that were named already: every text has other characters, but the advice is the same.
_said: set[str] = set()


def fonts_for(text: str) -> list[str]:
    """Installed font families that together hold the characters of `text`, the base one first.

    If some characters are in no font, a message that names what to install is logged, once
    for each package.
    """
    families, missing = _match("".join(sorted(set(_visible(text)))))
    wanted = _wanted(missing)
    if not _said.issuperset(wanted):
        _said.update(wanted)
        _logger.warning(_hint(missing))
    return list(families)


def printable(text: str) -> str:
    """`text` as the fonts of `fonts_for(text)` can draw it: a box for each character they lack."""
    visible = _visible(text)
    _, missing = _match("".join(sorted(set(visible))))
    return "".join(BOX if character in missing else character for character in visible)


def _visible(text: str) -> str:
    """One line without marks that have no shape (joiners, directions, variation selectors)."""
    kept = (" " if c.isspace() else c for c in text)
    return "".join(
        c
        for c in kept
        if unicodedata.category(c) not in ("Cf", "Cc") and not 0xFE00 <= ord(c) <= 0xFE0F
    )


@lru_cache(maxsize=512)
def _match(characters: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Families that hold `characters`, and those characters that none holds."""
    families = [BASE]
    missing = frozenset(characters) - _holds(BASE)
    if missing:
        for family in _candidates():
            found = missing & _holds(family)
            if found:
                families.append(family)
                missing -= found
            if not missing:
                break
    return tuple(families), missing


@cache
def _candidates() -> tuple[str, ...]:
    """All scalable families, the preferred first; fonts installed a minute ago are among them."""
    from matplotlib import font_manager

    manager = font_manager.fontManager
    # matplotlib keeps its list of fonts on disk, and would not see one that was just installed.
    known = {str(entry.fname) for entry in manager.ttflist}
    for path in sorted(set(font_manager.findSystemFonts()) - known):
        try:
            manager.addfont(path)
        except Exception as error:  # FreeType has many ways to refuse a broken or bitmap font
            _logger.debug("font %s left out: %s", path, error)
    # Only families with an upright, normal face: for others matplotlib logs that it makes do.
    plain = (e for e in manager.ttflist if e.style == "normal" and e.weight in (400, "normal"))
    names = sorted({entry.name for entry in plain if not _is_last_resort(entry.name)})
    first = [name for name in _PREFERRED if name in names]
    return (*first, *(name for name in names if name not in first and name != BASE))


def _is_last_resort(name: str) -> bool:
    """A font that has a placeholder for every character, and the shape of none."""
    return "lastresort" in name.lower().replace(" ", "")


@cache
def _holds(family: str) -> frozenset[str]:
    """The characters of the file that matplotlib will take for a family."""
    from matplotlib import font_manager

    properties = font_manager.FontProperties(family=[family])
    try:
        path = font_manager.fontManager.findfont(properties, fallback_to_default=False)
        return frozenset(map(chr, font_manager.get_font(path).get_charmap()))
    except Exception as error:  # as above: a font that cannot be opened holds nothing
        _logger.debug("font family %s left out: %s", family, error)
        return frozenset()


def _hint(missing: frozenset[str]) -> str:
    wanted = _wanted(missing)
    shown = " ".join(sorted(missing)[:8]).encode("utf-8", errors="replace").decode()
    return (
        f"no installed font has {len(missing)} of the characters to draw ({shown}), boxes stand "
        f"for them: apt install {' '.join(wanted)} (or install any font for "
        f"{', '.join(wanted.values())})"
    )


def _wanted(missing: frozenset[str]) -> dict[str, str]:
    """The packages to install, and the script that each is for."""
    found = (_package(ord(character)) for character in sorted(missing))
    return {package: script for script, package in found}


def _package(code: int) -> tuple[str, str]:
    for first, last, script, package in _PACKAGES:
        if first <= code <= last:
            return script, package
    return _OTHER
