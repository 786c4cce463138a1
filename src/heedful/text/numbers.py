"""How numbers are written: with points and commas, as dates and times, with a sign."""

from __future__ import annotations

import re
from typing import Final

DIGITS: Final = r"""
    [0-9]++ (?: [\u00a0\u202f'’] [0-9]{3}(?![0-9]) )*+      # 7, 1 000, 1'000
    (?: (?:-[0-9]++){2,}+ | (?:[.,:/][0-9]++)*+ )           # 2024-05-01; 3.14, 1,000.50, 12:30, 1/2
"""
"""For verbose patterns. Of 10-15, which is "10 bis 15" in German, both numbers are found."""
SIGN: Final = r"(?: (?<![\w)-])[-−+] )?"
"""Nothing is subtracted, and no word goes on."""
NUMBER: Final = re.compile(SIGN + DIGITS, re.VERBOSE)

# What makes an ordinal of a number, which languages write each in its own way: 3rd is 3. in German.
ORDINAL: Final = r"""
    (?: st | nd | rd | th | er | re | ère | e | è | ème | eme | de | ste )(?!\w) | [ºª°]
  | :[ae](?!\w) | -(?: й | я | е | ю | х | м | го | му | ом | ой | ую | ые | ых )(?!\w)
  | (?<![0-9.,]{3})\.(?=\s+[^\W\d])                         # am 3. Mai, but not at the end
"""
UNCLEAR: Final = r"[0-9]{1,3}(?:[ ][0-9]{3})++(?![0-9])"
"""3 200 may be one number or two."""
# What multiplies it, or makes a month of it: 5k is 5.000, 3万 is 30,000, 3月 is March.
MULTIPLE: Final = r"(?: [kKM] | [mbt]n | mio | mrd )(?!\w) | [百千万萬億亿兆月십백천만억조월]"
