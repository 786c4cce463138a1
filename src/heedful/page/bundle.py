"""The page's modules as one, for a file that is opened from disk and for notebooks.

They import each other by name and export by declaration; put behind each other in the order of
their imports, without these words, they are one module.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async )?function |class |const )", re.MULTILINE)


@cache
def page_file(name: str) -> str:
    """A file of the page."""
    return files("heedful.page").joinpath("files", name).read_text(encoding="utf-8")


def bundle(entry: str) -> str:
    """The module and all that it imports."""
    order: list[str] = []
    _visit(entry, order)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", page_file(name))) for name in order)


def _visit(name: str, order: list[str]) -> None:
    if name in order:
        return
    for other in _IMPORT.findall(page_file(name)):
        _visit(other, order)
    order.append(name)
