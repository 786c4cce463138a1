"""Word's documents (.docx): paragraphs of runs, each with its own looks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence

from heedful.documents.allowance import Allowance
from heedful.documents.escaping import escape_for
from heedful.documents.fields import fields, kind_of
from heedful.documents.namespaces import named, prefixes
from heedful.documents.nesting import xml_ends
from heedful.documents.passage import Composed, Passage
from heedful.documents.runs import DEEPEST, Chain, Element, Mark, Parts, Run
from heedful.documents.tags import Token, cut_at_entities, raw, tokens, unescaped

INNERMOST = 8  # paragraphs in each other that are read; what is deeper is copied
SPACES = {"w:tab", "w:br", "w:cr", "w:ptab"}
NAMESPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
}
_PART = re.compile(r"word/(document|header|footer|footnotes|endnotes)\d*\.xml")
TYPES = "[Content_Types].xml"
_TYPE = re.compile(r"[.](document|template|header|footer|footnotes|endnotes)([.]main)?[+]xml")
_OVERRIDE = re.compile(r"<(?:\w+:)?Override\s[^<>]*+>")
_SAVED = re.compile(r"""\s\w+:rsid\w*="\w*\"""")  # when a run was written
_VALUE = re.compile(r"""\s(PartName|ContentType)\s*=\s*["']([^"']*)["']""")


def texts(
    names: Sequence[str], contents: Callable[[str], bytes]
) -> Mapping[str, Callable[[str, Allowance], Composed]]:
    """The files that are text, and how they are read: those that are called as Word calls them, and
    those that the archive says are."""
    told = contents(TYPES).decode("utf-8", "replace") if TYPES in names else ""
    given = (dict(_VALUE.findall(tag)) for tag in _OVERRIDE.findall(told))
    parts = {
        of_part.get("PartName", "").removeprefix("/")
        for of_part in given
        if _TYPE.search(of_part.get("ContentType", ""))
    }
    return {name: read_word for name in names if name in parts or _PART.fullmatch(name)}


def read_word(text: str, allowance: Allowance) -> Composed:
    """One part of the archive."""
    return Composed(list(_Reader(text, allowance).parts()))


class _Reader:
    """Knows where each element ends, so that none is gone through again for each one around it."""

    def __init__(self, text: str, allowance: Allowance) -> None:
        self._allowance = allowance
        allowance.take_tags(text)
        renamed = prefixes(text, NAMESPACES)
        self._found = named(tokens(text), renamed)
        self._ends = xml_ends(self._found)
        self._escape = escape_for(text)
        prefix = next((own for own, known in renamed.items() if known == "w"), "w")
        name = f"{prefix}:t" if prefix else "t"
        # Without it Word would drop spaces at the ends.
        self._around_text = Element((f'<{name} xml:space="preserve">',), f"</{name}>")
        self._texts: list[int] = []  # where words begin
        self._spaces: list[int] = []  # where nothing but white space does
        self._paragraphs: list[int] = []
        self._filled: set[int] = set()  # paragraphs with words of their own
        self._survey()

    def _survey(self) -> None:
        around: list[int] = []  # paragraphs
        for n, token in enumerate(self._found):
            while around and self._ends[around[-1]] <= n:
                around.pop()
            if self._is(n, "w:p"):
                around.append(n)
                self._paragraphs.append(n)
            elif self._is(n, "w:t"):
                self._allowance.take_written(sum(len(t.raw) for t in self._within(n)))
                text = "".join(text for text, _ in self._written(n))
                (self._texts if text.strip() else self._spaces).append(n)
                if text.strip():
                    self._filled.update(around[-1:])
            elif token.name in SPACES and token.kind != "end":
                self._spaces.append(n)

    def parts(
        self, first: int = 0, last: int | None = None, depth: int = 0
    ) -> Iterator[str | Passage]:
        """Passages, and what stands between them."""
        n, last = first, len(self._found) if last is None else last
        copied = n
        while n < last:
            if n in self._filled:
                start = self._ends[n + 1] if self._is(n + 1, "w:ppr") else n + 1
                end = self._ends[n] - 1
                content = self._content(start, end, (), depth)
                if any(isinstance(item, Run) and item.text.strip() for item in content):
                    yield self._raw(copied, start)
                    yield self._passage(content)
                    copied = n = end
            n += 1
        yield self._raw(copied, last)

    def _passage(self, content: Sequence[Run | Mark]) -> Passage:
        # White space between runs means nothing to Word.
        passage = Passage(tuple(content), self._escape, has_space_between=False)
        self._allowance.take_passage(passage.text)
        return passage

    def _content(self, first: int, last: int, chain: Chain, depth: int) -> list[Run | Mark]:
        """Runs, and what else is there; elements around runs are inline elements."""
        children: list[tuple[int, int]] = []
        n = first
        while n < last:
            if self._found[n].name != "w:prooferr":  # it is about words that are no longer there
                children.append((n, self._ends[n]))
            n = self._ends[n]
        return self._items(children, chain, depth)

    def _items(
        self, children: Sequence[tuple[int, int]], chain: Chain, depth: int
    ) -> list[Run | Mark]:
        found = fields([self._field(n, end) for n, end in children])
        items: list[Run | Mark] = []
        looks: Element | None = None  # of the run before
        at = 0
        while at < len(children):
            n, end = children[at]
            if (field := found.get(at)) and len(chain) < DEEPEST:
                result = children[field.separate + 1 : field.end]
                before = self._raw(n, children[field.separate][1])
                around = Element((before,), self._raw(*children[field.end]))
                inside = self._items(result, (*chain, around), depth)
                items += inside or [Mark((), (*chain, around))]
                at, looks = field.end, None
            elif self._is(n, "w:r") and self._has(self._texts, n, end):
                looks = self._looks(n, end, looks)
                items += self._run(n, end, (*chain, looks), depth)
            elif self._has(self._texts, n, end) and len(chain) < DEEPEST:
                items += self._around(n, end, chain, depth)
                looks = None
            else:
                is_space = self._has(self._spaces, n, end)
                items.append(Mark((self._raw(n, end),), chain, is_space))
                looks = None
            at += 1
        return items

    def _around(self, n: int, end: int, chain: Chain, depth: int) -> list[Run | Mark]:
        """An element around runs, with what it says of itself."""
        first = n + 1
        while self._found[first].name.endswith("pr") and self._found[first].kind != "end":
            first = self._ends[first]
        around = Element((self._raw(n, first),), self._found[end - 1].raw)
        return self._content(first, end - 1, (*chain, around), depth)

    def _looks(self, n: int, end: int, last: Element | None) -> Element:
        """Neighbours that look the same are one run: Word parts them for reasons of its own."""
        first = self._ends[n + 1] if self._is(n + 1, "w:rpr") else n + 1
        before = self._raw(n, first)
        if last and _SAVED.sub("", str(last.before[0])) == _SAVED.sub("", before):
            return last
        return Element((before,), self._found[end - 1].raw)

    def _run(self, first: int, end: int, chain: Chain, depth: int) -> list[Run | Mark]:
        """Its texts, and what stands between them."""
        n = self._ends[first + 1] if self._is(first + 1, "w:rpr") else first + 1
        items: list[Run | Mark] = []
        while n < end - 1:
            behind = self._ends[n]
            if self._is(n, "w:t"):
                inside = (*chain, self._around_text)
                for text, is_copied in self._written(n):
                    items.append(Mark((text,), inside) if is_copied else Run(text, inside))
            else:
                is_space = self._found[n].name in SPACES
                items.append(Mark(self._inside(n, behind, depth), chain, is_space))
            n = behind
        return items

    def _inside(self, n: int, end: int, depth: int) -> Parts:
        """What is no text of a run; there may be paragraphs in it, as in a text box."""
        if depth < INNERMOST and self._has(self._paragraphs, n, end):
            return list(self.parts(n, end, depth + 1))
        return (self._raw(n, end),)

    def _written(self, n: int) -> Iterator[tuple[str, bool]]:
        """What stands in a text, and whether it is to be copied."""
        for token in self._within(n):
            if token.kind == "text":
                for text, is_name in cut_at_entities(token.raw):
                    yield text if is_name else unescaped(text), is_name
            elif token.kind == "cdata":
                yield token.raw[len("<![CDATA[") : -len("]]>")], False
            else:
                yield token.raw, True

    def _within(self, n: int) -> Sequence[Token]:
        return self._found[n + 1 : self._ends[n] - 1]

    def _field(self, n: int, end: int) -> str:
        is_field = self._is(n, "w:r") and not self._has(self._texts, n, end)
        return kind_of(self._raw(n, end)) if is_field else ""

    def _is(self, n: int, name: str) -> bool:
        """Whether an element of this name begins there."""
        return self._found[n].name == name and self._found[n].kind == "start"

    @staticmethod
    def _has(places: Sequence[int], n: int, end: int) -> bool:
        """Whether one of them is there."""
        at = bisect_left(places, n)
        return at < len(places) and places[at] < end

    def _raw(self, first: int, end: int) -> str:
        return raw(self._found[first:end])
