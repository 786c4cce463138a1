"""Names and code inside a sentence that stay as they are, but are translated as words among the
others: a model that does not see them makes another sentence, and cannot tell where they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heedful.documents.escaping import Escape
from heedful.documents.layout import shown
from heedful.documents.runs import Mark, Run
from heedful.text.normalization import nfc
from heedful.text.scripts import ALONE

LONGEST = 60  # characters
LONGEST_SIGN = 3
Item = Run | Mark


def sayable(text: str) -> str:
    """The text, if a model can take it for a word or a name; else nothing."""
    has_letters = any(map(str.isalnum, text))
    is_plain = has_letters and text[0] != "<" and text == nfc(text)
    return text if is_plain and len(text) <= LONGEST else ""


def joined(content: Sequence[Item], escape: Escape) -> list[Item]:
    """The same, but what has only a sign or two between it is one, as <kbd>Ctrl</kbd>+<kbd>C</kbd>:
    a model might lose the sign."""
    found: list[Item] = []
    for item in content:
        found.append(item)
        match found[-3:]:
            case [Mark() as one, Run() as between, Mark() as other] if one.said and other.said:
                said = sayable(one.said + between.text + other.said)
                if said and _is_sign(between.text) and one.chain == between.chain == other.chain:
                    parts = (*one.parts, escape(between.text), *other.parts)
                    found[-3:] = [replace(one, parts=parts, said=said)]
    return found


def _is_sign(text: str) -> bool:
    return 0 < len(text) <= LONGEST_SIGN and not any(a.isalnum() or a.isspace() for a in text)


def standing_alone(content: Sequence[Item]) -> list[Item]:
    """The same, but what is written onto a letter, as in <code>int</code>s, is not said: it would
    not be found again in another word."""
    before = _last_letters(content)
    behind = _last_letters([*reversed(content)], first=True)[::-1]
    return [
        replace(item, said="")
        if isinstance(item, Mark) and item.said and ALONE.search(left + right)
        else item
        for item, left, right in zip(content, before, behind, strict=True)
    ]


def _last_letters(content: Sequence[Item], *, first: bool = False) -> list[str]:
    """What was shown last before each item; of what is read backwards the first."""
    found, last = [], ""
    for item in content:
        found.append(last)
        if text := shown([item]):
            last = text[0] if first else text[-1]
    return found
