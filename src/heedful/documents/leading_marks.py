"""The marks that passages begin with stay, as those of lines do, in the elements they stand in; and
so do those of lines inside a passage, which become passages of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from heedful.documents.escaping import Escape
from heedful.documents.labels import Label
from heedful.documents.layout import shown
from heedful.documents.passage import Passage
from heedful.documents.runs import Mark, Run
from heedful.text.line_marks import may_have_mark, word_starts

Line = list[Run | Mark]


def without_marks(parts: Iterable[str | Passage | Label]) -> list[str | Passage | Label]:
    """The same parts, but what stands before the words of a passage is no text of it. A line inside
    a passage that begins with marks is a passage of its own."""
    found = [(part, _lines(part) if isinstance(part, Passage) else []) for part in parts]
    starts = iter(word_starts([shown(line) for _, lines in found for line in lines]))
    done: list[str | Passage | Label] = []
    for part, lines in found:
        if isinstance(part, Passage):
            done += _cut(part, [(line, next(starts)) for line in lines])
        else:
            done.append(part)
    return done


def _lines(passage: Passage) -> list[Line]:
    """Each but the first begins with a break, and perhaps with a mark; a line that does not goes on
    with the one before."""
    lines: list[Line] = [[]]
    for line in _at_breaks(passage.content):
        if shown(lines[-1]).strip() and may_have_mark(shown(line)):
            lines.append(line)
        else:
            lines[-1] += line
    return lines


def _at_breaks(content: Iterable[Run | Mark]) -> list[Line]:
    lines: list[Line] = [[]]
    for item in content:
        if isinstance(item, Mark) and item.may_be_cut:
            lines.append([])
        lines[-1].append(item)
    return lines


def _cut(passage: Passage, lines: Sequence[tuple[Line, int]]) -> Iterator[Passage]:
    """Where each line's words begin is told."""
    content: Line = []
    for line, start in lines:
        has_marks = bool(shown(line)[:start].strip())
        if has_marks and content:
            yield replace(passage, content=tuple(content))
            content = []
        content += _marked(line, start, passage.escape) if has_marks else line
    yield replace(passage, content=tuple(content))


def _marked(line: Line, start: int, escape: Escape) -> Iterator[Run | Mark]:
    for item in line:
        if start > 0 and isinstance(item, Run):
            yield Mark((escape(item.text[:start]),), item.chain)
            if rest := item.text[start:]:
                yield Run(rest, item.chain)
        else:
            yield item
        start -= len(shown([item]))
