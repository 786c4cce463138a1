"""A document's text in passages, parts of which stand inside inline markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from heedful.documents.escaping import Escape, in_text
from heedful.documents.labels import UNTOLD, Label, Languages
from heedful.documents.layout import Layout, plain
from heedful.documents.placing import Placed, Placing
from heedful.documents.runs import Chain, Mark, Parts, Run, in_common
from heedful.documents.translatable import Hint
from heedful.planning import Translation

MOST_GROWTH = 4
"""Elements that words have parted are written again and again; if a passage would be as many times
as long as it was, they stay in one piece."""
_KEPT = re.compile(r"[^\S \t\n\r\f]")  # white space that is more than a space


@dataclass(frozen=True, eq=False)
class Passage:
    """What is translated as a whole; the white space around it stays where it is."""

    content: Sequence[Run | Mark]
    escape: Escape = in_text
    """How text is written."""
    has_space_between: bool = True
    """Whether white space may stand between its elements, and much of it means no more than one
    space."""

    @cached_property
    def text(self) -> str:
        """To be translated."""
        return plain(self.content)

    @property
    def _inside(self) -> slice:
        """From its first to its last words."""
        places = [n for n, item in enumerate(self.content) if _is_text(item)]
        return slice(places[0], places[-1] + 1)

    @cached_property
    def is_mixed(self) -> bool:
        """Whether it matters which word of a translation came from which."""
        content = self.content[self._inside]
        texts = [item.text for item in content if isinstance(item, Run)]
        if len(texts) < len(content) or len({i.chain for i in content if _is_text(i)}) > 1:
            return True
        text = "".join(texts).strip()
        return bool(_KEPT.search(text)) or (not self.has_space_between and text != self.text)

    @cached_property
    def hint(self) -> Hint:
        """What has to be known to translate it."""
        if not any(isinstance(item, Mark) and item.said for item in self.content):
            return Hint(self.is_mixed)
        layout = Layout(self.content)
        return Hint(self.is_mixed, tuple(map(layout.span, layout.kept)))

    def inner(self) -> Iterator[Passage]:
        """Those in its marks and tags."""
        seen: Chain = ()
        for item in self.content:
            for element in item.chain[len(in_common(seen, item.chain)) :]:
                yield from passages_in(element.before)
            seen = item.chain
            if isinstance(item, Mark):
                yield from passages_in(item.parts)

    def placed(self, translation: Translation) -> Placed:
        """The translation among this passage's elements and marks."""
        if not self.is_mixed:
            return self._in_one(translation.text)
        borders = (border for link in translation.links for border in link.source)
        placing = Placing(Layout(self.content, borders), translation.text, translation.links)
        most = MOST_GROWTH * (_length(self.content) + len(translation.text))
        found = placing.placed(gap_in_element=not self.has_space_between)
        if _length(found) <= most:
            return found
        return placing.placed(in_order=True, gap_in_element=not self.has_space_between)

    def _in_one(self, text: str) -> Placed:
        """If it does not matter which word came from which, all of them are one."""
        runs = self.content[self._inside]
        before = "".join(run.text for run in runs if isinstance(run, Run))
        start, end = len(before) - len(before.lstrip()), len(before.rstrip())
        whole = Run(before[:start] + text + before[end:], runs[0].chain)
        return [*self.content[: self._inside.start], whole, *self.content[self._inside.stop :]]

    def rendered(self, known: Known) -> str:
        """The translation in this passage's markup."""
        return self.written(self.placed(known.translations[self]), known)

    def written(self, placed: Placed, known: Known) -> str:
        """Elements are opened and closed as what is in them comes and goes."""
        out: list[str] = []
        stack: Chain = ()
        for item in placed:
            kept = in_common(stack, item.chain)
            out += [element.behind for element in reversed(stack[len(kept) :])]
            out += [rendered(element.before, known) for element in item.chain[len(kept) :]]
            if isinstance(item, Run):
                out.append(self.escape(item.text))
            else:
                out.append(rendered(item.parts, known))
            stack = item.chain
        return "".join(out + [element.behind for element in reversed(stack)])


@dataclass(frozen=True)
class Known:
    """What must be known to render a document."""

    translations: Mapping[Passage, Translation] = field(default_factory=dict)
    languages: Languages = UNTOLD


@dataclass(frozen=True)
class Composed:
    """Passages, and between them what is copied."""

    parts: Parts

    @cached_property
    def _passages(self) -> list[Passage]:
        return list(passages_in(self.parts))

    @property
    def passages(self) -> list[str]:
        """To be translated."""
        return [passage.text for passage in self._passages]

    @property
    def hints(self) -> list[Hint]:
        """One for each passage."""
        return [passage.hint for passage in self._passages]

    def rendered(self, translations: Sequence[Translation], languages: Languages = UNTOLD) -> str:
        """All of it again, with these translations of the passages."""
        found = dict(zip(self._passages, translations, strict=True))
        return rendered(self.parts, Known(found, languages))


def passages_in(parts: Parts) -> Iterator[Passage]:
    """Each before those inside it."""
    for part in parts:
        if isinstance(part, Passage):
            yield part
            yield from part.inner()


def rendered(parts: Parts, known: Known) -> str:
    """With the translations in their places."""
    return "".join(_rendered(part, known) for part in parts)


def _rendered(part: str | Passage | Label, known: Known) -> str:
    match part:
        case str():
            return part
        case Label():
            return part.rendered(known.languages)
        case _:
            return part.rendered(known)


def _is_text(item: Run | Mark) -> bool:
    if isinstance(item, Mark):
        return bool(item.said)
    return not item.text.isspace() and item.text != ""


def _length(items: Iterable[Run | Mark]) -> int:
    """Of all that is written, without what is translated inside of tags and marks."""
    length = 0
    stack: Chain = ()
    for item in items:
        new = item.chain[len(in_common(stack, item.chain)) :]
        length += sum(_copied(e.before) + len(e.behind) for e in new)
        length += len(item.text) if isinstance(item, Run) else _copied(item.parts)
        stack = item.chain
    return length


def _copied(parts: Parts) -> int:
    return sum(len(part) for part in parts if isinstance(part, str))
