"""The marks that passages begin with stay, as those of lines do, in the elements they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from heedful.documents.labels import Label
from heedful.documents.layout import shown
from heedful.documents.passage import Passage
from heedful.documents.runs import Mark, Run
from heedful.text.line_marks import word_starts


def without_marks(parts: Iterable[str | Passage | Label]) -> list[str | Passage | Label]:
    """The same parts, but what stands before the words of a passage is no text of it."""
    found = list(parts)
    texts = [shown(part.content) for part in found if isinstance(part, Passage)]
    starts = iter(word_starts(texts))
    return [_cut(part, next(starts)) if isinstance(part, Passage) else part for part in found]


def _cut(passage: Passage, start: int) -> Passage:
    return replace(passage, content=tuple(_content(passage, start))) if start else passage


def _content(passage: Passage, start: int) -> Iterator[Run | Mark]:
    for item in passage.content:
        if start > 0 and isinstance(item, Run):
            yield Mark((passage.escape(item.text[:start]),), item.chain)
            if rest := item.text[start:]:
                yield Run(rest, item.chain)
        else:
            yield item
        start -= len(shown([item]))
