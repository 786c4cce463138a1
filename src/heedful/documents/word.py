"""Word's documents (.docx): paragraphs of runs, each with its own looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from heedful.documents.allowance import Allowance
from heedful.documents.charsets import is_utf8
from heedful.documents.escaping import escape_for
from heedful.documents.fields import Field, fields, kind_of
from heedful.documents.labels import Label, labelled
from heedful.documents.leading_marks import without_marks
from heedful.documents.passage import Composed, Passage
from heedful.documents.runs import DEEPEST, INNERMOST, Chain, Element, Mark, Parts, Run
from heedful.documents.word_tokens import BREAKS, SPACES, WordTokens

_SINGLE = frozenset({"w:hyperlink", "w:fldsimple"})  # that would be something else twice
_MAIN = frozenset({"document", "template"})
_KINDS = "document|template|header|footer|footnotes|endnotes|styles"
_PART = re.compile(rf"word/({_KINDS})\d*\.xml")
_TYPE = re.compile(rf"[.]({_KINDS})([.]main)?[+]xml")
TYPES = "[Content_Types].xml"
_OVERRIDE = re.compile(r"<(?:\w+:)?Override\s[^<>]*+>")
_VALUE = re.compile(r"""\s(PartName|ContentType)\s*=\s*["']([^"']*)["']""")
_SAVED = re.compile(r"""\s\w+:rsid\w*="\w*\"""")  # when a run was written
_LANGUAGE = re.compile(r"""<(?:\w++:)?lang\s[^<>]*?\bval\s*=\s*["'](?P<code>[\w-]++)""")


def texts(
    names: Sequence[str], contents: Callable[[str], bytes]
) -> Mapping[str, Callable[[str, Allowance], Composed]]:
    """The files that are text or say its language, and how they are read: those that are called as
    Word calls them, and those that the archive says are; none without the main one."""
    told = contents(TYPES).decode("utf-8", "replace") if TYPES in names else ""
    given = [dict(_VALUE.findall(tag)) for tag in _OVERRIDE.findall(told)]
    types = {one.get("PartName", "").removeprefix("/"): one.get("ContentType", "") for one in given}
    found = {name: _PART.fullmatch(name) or _TYPE.search(types.get(name, "")) for name in names}
    kinds = {name: match[1] for name, match in found.items() if match}
    parts = {name: read_word for name, kind in kinds.items() if kind != "styles"}
    styles = [name for name, kind in kinds.items() if kind == "styles"]
    looks = {name: read_styles for name in styles if is_utf8(contents(name))}
    return {**parts, **looks} if _MAIN.intersection(kinds.values()) else {}


def read_styles(text: str, allowance: Allowance) -> Composed:
    """What paragraphs and runs look like, if they do not say it themselves."""
    allowance.take_tags(text)
    return Composed(labelled(text, _LANGUAGE))


def read_word(text: str, allowance: Allowance) -> Composed:
    """One part of the archive."""
    return Composed(without_marks(_Reader(text, allowance).parts()))


class _Reader:
    """Finds the passages among a part's tokens."""

    def __init__(self, text: str, allowance: Allowance) -> None:
        self._allowance = allowance
        self._tokens = WordTokens(text, allowance)
        self._escape = escape_for(text)
        name = self._tokens.spelt("t")
        # Without it Word would drop spaces at the ends.
        self._around_text = Element((f'<{name} xml:space="preserve">',), f"</{name}>")

    def parts(
        self, first: int = 0, last: int | None = None, depth: int = 0
    ) -> Iterator[str | Passage | Label]:
        """Passages, and what stands between them."""
        last = len(self._tokens) if last is None else last
        n = copied = first
        while n < last:
            if n in self._tokens.filled:
                start, end = self._tokens.inside(n, "w:ppr"), self._tokens.end(n) - 1
                content = self._content(start, end, (), depth)
                if any(isinstance(item, Run) and item.text.strip() for item in content):
                    yield from self._labelled(copied, start)
                    yield self._passage(content)
                    copied = n = end
            n += 1
        yield from self._labelled(copied, last)

    def _passage(self, content: Sequence[Run | Mark]) -> Passage:
        # White space between runs means nothing to Word.
        passage = Passage(tuple(content), self._escape, has_space_between=False)
        self._allowance.take_passage(passage.text)
        return passage

    def _content(self, first: int, end: int, chain: Chain, depth: int) -> list[Run | Mark]:
        """Of a paragraph, or of an element around some of its runs."""
        children = [
            child
            for child in self._tokens.children(first, end)
            if self._tokens.name(child[0]) != "w:prooferr"  # about words that are no longer there
        ]
        return self._items(children, chain, depth)

    def _items(
        self, children: Sequence[tuple[int, int]], chain: Chain, depth: int
    ) -> list[Run | Mark]:
        """Runs, and what else is there; elements around runs and fields are inline elements."""
        found = fields([self._field_kind(n, end) for n, end in children])
        items: list[Run | Mark] = []
        before: Element | None = None  # the looks of the run before
        at = 0
        while at < len(children):
            n, end = children[at]
            looks: Element | None = None
            if (field := found.get(at)) and len(chain) < DEEPEST:
                items += self._field(field, children, chain, depth)
                at = field.end
            elif self._tokens.is_element(n, "w:r") and self._tokens.has_words(n, end):
                looks = self._looks(n, end, before)
                items += self._run(n, end, (*chain, looks), depth)
            elif self._tokens.has_words(n, end) and len(chain) < DEEPEST:
                items += self._around(n, end, chain, depth)
            else:
                is_space = self._tokens.has_space(n, end)
                ends_line = not chain and self._tokens.has_break(n, end)
                items.append(self._mark(tuple(self._labelled(n, end)), chain, is_space, ends_line))
            before = looks
            at += 1
        return items

    def _field_kind(self, n: int, end: int) -> str:
        """What a run says of a field, if it does."""
        is_run = self._tokens.is_element(n, "w:r") and not self._tokens.has_words(n, end)
        return kind_of(self._tokens.raw(n, end)) if is_run else ""

    def _field(
        self, field: Field, children: Sequence[tuple[int, int]], chain: Chain, depth: int
    ) -> list[Run | Mark]:
        """All that makes it stands around its result."""
        before = self._tokens.raw(children[field.begin][0], children[field.separate][1])
        behind = self._tokens.raw(*children[field.end])
        around = (*chain, Element((before,), behind, is_single=True))
        result = children[field.separate + 1 : field.end]
        return self._items(result, around, depth) or [Mark((), around)]

    def _around(self, n: int, end: int, chain: Chain, depth: int) -> list[Run | Mark]:
        """An element around runs, with what it says of itself."""
        first = self._tokens.behind_all_properties(n)
        before, behind = self._tokens.raw(n, first), self._tokens.raw(end - 1, end)
        around = Element((before,), behind, is_single=self._tokens.name(n) in _SINGLE)
        return self._content(first, end - 1, (*chain, around), depth)

    def _looks(self, n: int, end: int, last: Element | None) -> Element:
        """Neighbours that look the same are one run: Word parts them for reasons of its own."""
        looks = list(self._labelled(n, self._tokens.inside(n, "w:rpr")))
        if last and _unsaved(last.before) == _unsaved(looks):
            return last
        return Element(looks, self._tokens.raw(end - 1, end))

    def _run(self, n: int, end: int, chain: Chain, depth: int) -> list[Run | Mark]:
        """Its texts, and what stands between them."""
        items: list[Run | Mark] = []
        for child, behind in self._tokens.children(self._tokens.inside(n, "w:rpr"), end - 1):
            if self._tokens.is_element(child, "w:t"):
                inside = (*chain, self._around_text)
                for text, is_copied in self._tokens.written(child):
                    items.append(Mark((text,), inside) if is_copied else Run(text, inside))
            else:
                name, parts = self._tokens.name(child), self._inside(child, behind, depth)
                ends_line = name in BREAKS and len(chain) == 1  # its looks
                items.append(self._mark(parts, chain, name in SPACES, ends_line))
        return items

    def _mark(self, parts: Parts, chain: Chain, is_space: bool, ends_line: bool) -> Mark:
        """What follows a line's end may become a passage, and is counted as one."""
        if ends_line:
            self._allowance.take_passage("")
        return Mark(parts, chain, is_space, ends_line)

    def _inside(self, n: int, end: int, depth: int) -> Parts:
        """What is no text of a run; there may be paragraphs in it, as in a text box."""
        if depth < INNERMOST and self._tokens.has_paragraphs(n, end):
            return without_marks(self.parts(n, end, depth + 1))
        return (self._tokens.raw(n, end),)

    def _labelled(self, first: int, end: int) -> Iterator[str | Label]:
        """What is copied but for the languages that it says."""
        yield from labelled(self._tokens.raw(first, end), _LANGUAGE)


def _unsaved(looks: Parts) -> list[object]:
    """Without what says when a run was written."""
    return [_SAVED.sub("", part) if isinstance(part, str) else part for part in looks]
