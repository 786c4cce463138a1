"""The tokens of one part of a Word document, and what is where among them.

An element is named by its first token, a stretch by its first token and the one behind its last.
All is surveyed once, so that nothing is gone through again for each element around it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from heedful.documents.allowance import Allowance
from heedful.documents.namespaces import named, prefixes
from heedful.documents.nesting import xml_ends
from heedful.documents.tags import Token, cut_at_entities, raw, tokens, unescaped

BREAKS = {"w:br", "w:cr"}
SPACES = {"w:tab", "w:ptab", *BREAKS}
NAMESPACES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
}


class WordTokens:
    """Names have Word's usual prefix `w`, whatever the file calls it."""

    def __init__(self, text: str, allowance: Allowance) -> None:
        allowance.take_tags(text)
        renamed = prefixes(text, NAMESPACES)
        self._prefix = next((own for own, known in renamed.items() if known == "w"), "w")
        self._tokens = named(tokens(text), renamed)
        self._ends = xml_ends(self._tokens)
        self.filled: set[int] = set()
        """Paragraphs with words of their own."""
        self._paragraphs: list[int] = []
        self._worded: list[int] = []  # texts with words in them
        self._blank: list[int] = []  # texts of white space alone, tabs and breaks
        self._breaks: list[int] = []
        self._survey(allowance)

    def _survey(self, allowance: Allowance) -> None:
        around: list[int] = []  # paragraphs, the innermost last
        run = raised = 0  # where the last run ends, and the last one that is raised
        for n, token in enumerate(self._tokens):
            while around and self._ends[around[-1]] <= n:
                around.pop()
            if self.is_element(n, "w:p"):
                around.append(n)
                self._paragraphs.append(n)
            elif self.is_element(n, "w:r"):
                run = self._ends[n]
            elif token.name == "w:vertalign" and "superscript" in token.raw:
                raised = run
            elif self.is_element(n, "w:t"):
                allowance.take_written(sum(len(inner.raw) for inner in self._within(n)))
                texts = [text for text, _ in self.written(n)]
                if n < raised and not any(map(str.isalpha, "".join(texts))):
                    continue  # the sign of a note stays where it is
                if any(text.strip() for text in texts):
                    self._worded.append(n)
                    self.filled.update(around[-1:])
                else:
                    self._blank.append(n)
            elif token.name in SPACES and token.kind != "end":
                self._blank.append(n)
                self._breaks += [n] * (token.name in BREAKS)

    def __len__(self) -> int:
        return len(self._tokens)

    def name(self, n: int) -> str:
        """Of the tag there."""
        return self._tokens[n].name

    def spelt(self, name: str) -> str:
        """One of Word's names, as this file writes it."""
        return f"{self._prefix}:{name}" if self._prefix else name

    def is_element(self, n: int, name: str) -> bool:
        """Whether one of this name begins there."""
        return self._tokens[n].name == name and self._tokens[n].kind == "start"

    def end(self, n: int) -> int:
        """Behind the element that begins there."""
        return self._ends[n]

    def inside(self, n: int, properties: str) -> int:
        """Where the content of an element begins: behind its tag and its properties."""
        return self._ends[n + 1] if self.is_element(n + 1, properties) else n + 1

    def behind_all_properties(self, n: int) -> int:
        """The same, whatever they are called."""
        first = n + 1
        while self._tokens[first].name.endswith("pr") and self._tokens[first].kind != "end":
            first = self._ends[first]
        return first

    def children(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """The elements that stand there, and what stands between them."""
        n = first
        while n < end:
            yield n, self._ends[n]
            n = self._ends[n]

    def has_words(self, first: int, end: int) -> bool:
        """Whether there is text in it."""
        return _has(self._worded, first, end)

    def has_space(self, first: int, end: int) -> bool:
        """Whether something in it parts two words."""
        return _has(self._blank, first, end)

    def has_break(self, first: int, end: int) -> bool:
        """Whether a line ends in it."""
        return _has(self._breaks, first, end)

    def has_paragraphs(self, first: int, end: int) -> bool:
        """Whether some are in it."""
        return _has(self._paragraphs, first, end)

    def written(self, n: int) -> Iterator[tuple[str, bool]]:
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
        return self._tokens[n + 1 : self._ends[n] - 1]

    def raw(self, first: int, end: int) -> str:
        """As the file has it."""
        return raw(self._tokens[first:end])


def _has(places: Sequence[int], first: int, end: int) -> bool:
    at = bisect_left(places, first)
    return at < len(places) and places[at] < end
