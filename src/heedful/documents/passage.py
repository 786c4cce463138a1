"""A document's text in passages, parts of which stand inside inline markup."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from heedful.documents.placing import Placed, Placing, Spaced
from heedful.documents.runs import Chain, Mark, Run, in_common
from heedful.planning import Translation

MOST_GROWTH = 4
"""Elements that words have parted are written again and again; if a passage would be as many times
as long as it was, they stay in one piece."""


@dataclass(frozen=True)
class Passage:
    """What is translated as a whole; the white space around it stays where it is."""

    content: Sequence[Run | Mark]
    has_space_around: bool = True
    """Whether white space may stand around it, and between its elements."""

    @cached_property
    def _spaced(self) -> Spaced:
        return Spaced.of(self.content)

    @property
    def text(self) -> str:
        """To be translated."""
        return self._spaced.text

    @property
    def is_mixed(self) -> bool:
        """Whether it matters which word of a translation came from which."""
        return sum(isinstance(i, Run) and bool(i.text.strip()) for i in self.content) > 1

    def rendered(self, translation: Translation) -> str:
        """The translation in this passage's markup."""
        before, behind = self._around() if self.has_space_around else ("", "")
        words = Placing(self.content, self._spaced, translation.text, translation.links)
        pieces: list[str] = []
        for in_order in (False, True):
            pieces = _written(
                words.placed(in_order=in_order, gap_in_element=not self.has_space_around)
            )
            if sum(map(len, pieces)) <= MOST_GROWTH * (self._length + len(translation.text)):
                break
        return "".join([before, *pieces, behind])

    @property
    def _length(self) -> int:
        """Of all that it is made of."""
        elements = {element for item in self.content for element in item.chain}
        inside = (len(i.text if isinstance(i, Run) else i.raw) for i in self.content)
        return sum(inside) + sum(len(e.before) + len(e.behind) for e in elements)

    def _around(self) -> tuple[str, str]:
        """The white space before and behind the text, as it was."""
        whole = "".join(item.text for item in self.content if isinstance(item, Run))
        kept = whole.strip()
        if not kept:
            return whole, ""
        start = len(whole) - len(whole.lstrip())
        return whole[:start], whole[start + len(kept) :]


@dataclass(frozen=True)
class Composed:
    """Passages, and between them what is copied."""

    parts: Sequence[str | Passage]

    @property
    def passages(self) -> list[str]:
        """To be translated."""
        return [part.text for part in self.parts if isinstance(part, Passage)]

    @property
    def mixed(self) -> list[bool]:
        """Of each passage, whether it matters which word came from which."""
        return [part.is_mixed for part in self.parts if isinstance(part, Passage)]

    def rendered(self, translations: Sequence[Translation]) -> str:
        """All of it again, with these translations of the passages."""
        coming = iter(translations)
        return "".join(
            part if isinstance(part, str) else part.rendered(next(coming)) for part in self.parts
        )


def _written(placed: Placed) -> list[str]:
    """Elements are opened and closed as what is in them comes and goes."""
    out: list[str] = []
    stack: Chain = ()
    for chain, content, is_text in placed:
        kept = in_common(stack, chain)
        out += [element.behind for element in reversed(stack[len(kept) :])]
        out += [element.before for element in chain[len(kept) :]]
        out.append(html.escape(content, quote=False) if is_text else content)
        stack = chain
    return out + [element.behind for element in reversed(stack)]
