"""Scripts, where they matter."""

from __future__ import annotations

import re
from typing import Final

SPACELESS: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
WITHOUT_SPACES: Final = re.compile(f"[{SPACELESS}]")
"""A character of a script that has no spaces between its words: Thai, Lao, Burmese, Khmer,
Japanese, Chinese. (Korean has.)"""

STANDS_ALONE: Final = "0-9A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff"
ALONE: Final = re.compile(f"[{STANDS_ALONE}]")
"""A digit, or a letter of a script in which a word stands by itself: Latin, Greek, Cyrillic.
(Korean particles, Hebrew and Arabic articles are written onto a word.)"""
