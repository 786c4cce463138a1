"""HTML and its kin: passages between the tags that break a text.

Tags are copied as they were written. Those inside a sentence go where their words went.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from heedful.documents.allowance import Allowance
from heedful.documents.escaping import Escape, escape_for, in_quotes
from heedful.documents.labels import Label
from heedful.documents.leading_marks import without_marks
from heedful.documents.namespaces import named, prefixes
from heedful.documents.nesting import html_ends, xml_ends
from heedful.documents.passage import Composed, Passage
from heedful.documents.rules import HTML, Rules
from heedful.documents.runs import INNERMOST, Chain, Element, Mark, Parts, Run
from heedful.documents.said import joined, sayable, standing_alone
from heedful.documents.steps import Step, pairs, steps
from heedful.documents.tags import (
    Attribute,
    Token,
    attributes,
    cut_at_entities,
    raw,
    stays,
    tokens,
    unescaped,
)


def read_markup(text: str, rules: Rules = HTML, allowance: Allowance | None = None) -> Composed:
    """A text with tags."""
    return Composed(_Reader(text, rules, allowance).parts())


class _Reader:
    """A text's tokens, and where its elements end."""

    def __init__(self, text: str, rules: Rules, allowance: Allowance | None) -> None:
        self.rules = rules
        self.escape = escape_for(text)
        self._allowance = allowance
        if allowance:
            allowance.take_tags(text)
        self.found = named(tokens(text), prefixes(text, rules.namespaces))
        self.ends = xml_ends(self.found) if rules.is_strict else html_ends(self.found, rules.void)

    def parts(
        self, first: int = 0, last: int | None = None, depth: int = 0
    ) -> list[str | Passage | Label]:
        """Of some of the tokens."""
        last = len(self.found) if last is None else last
        taken = list(steps(self.found, self.ends, self.rules, first, last))
        return without_marks(_Cutter(self, depth).cut(taken))

    def text(self, n: int) -> Iterator[tuple[str, bool]]:
        """What is written there, and whether it is a name that only the file can explain."""
        token = self.found[n]
        if self._allowance:
            self._allowance.take_written(len(token.raw))
        if token.kind == "cdata":
            yield token.raw[len("<![CDATA[") : -len("]]>")], False
        elif not self.rules.is_xml:
            yield unescaped(token.raw), False
        else:
            for text, is_name in cut_at_entities(token.raw):
                yield text if is_name else unescaped(text), is_name

    def passage(self, content: Sequence[Run | Mark], escape: Escape) -> Passage:
        """One more."""
        found = Passage(content, escape)
        if self._allowance:
            self._allowance.take_passage(found.text)
        return found

    def tag(self, token: Token) -> Parts:
        """With what in it is text, and what says a language."""
        names = (*self.rules.texts, *self.rules.languages)
        has_some = any(name in token.raw.lower() for name in names)
        if token.kind not in ("start", "empty") or not has_some or stays(token):
            return (token.raw,)
        given = attributes(token.raw)
        parts = self._texts(given) | self._languages(given)
        found: list[str | Passage | Label] = []
        end = 0
        for one in sorted(parts, key=_start):
            found += [token.raw[end : one.start], *parts[one]]
            end = one.end
        return [*found, token.raw[end:]]

    def _texts(self, given: Mapping[str, Attribute]) -> dict[Attribute, Parts]:
        found: dict[Attribute, Parts] = {}
        for one in (given[name] for name in self.rules.texts if name in given):
            if text := unescaped(one.value).strip():
                passage = self.passage((Run(text, ()),), in_quotes(self.escape))
                found[one] = without_marks(('"', passage, '"'))
        return found

    def _languages(self, given: Mapping[str, Attribute]) -> dict[Attribute, Parts]:
        said = {name: given[name] for name in self.rules.languages if name in given}
        said = {name: one for name, one in said.items() if one.value}
        code = self.rules.code({name: one.value for name, one in said.items()})
        return {
            one: (one.quote, Label(code, one.value, self.rules.languages[name]), one.quote)
            for name, one in said.items()
        }


class _Cutter:
    """Goes through the steps of a text, and puts passages together."""

    def __init__(self, reader: _Reader, depth: int) -> None:
        self._reader, self._rules, self._found = reader, reader.rules, reader.found
        self._level = depth  # of what this is inside of
        self._parts: list[str | Passage | Label] = []
        self._content: list[Run | Mark] = []  # of the passage at hand
        self._copied: list[str | Passage | Label] = []  # the same, as it was written
        self._chain: Chain = ()
        self._depth = 0  # of paragraphs

    def cut(self, taken: Sequence[Step]) -> list[str | Passage | Label]:
        """All of them."""
        ends = pairs(taken, self._found)
        closing = set(ends.values())
        texts = {n: list(self._reader.text(s.first)) for n, s in enumerate(taken) if s.is_text}
        filled = list(accumulate(_is_filled(s, texts.get(n)) for n, s in enumerate(taken)))
        lettered = list(accumulate(_has_letters(texts.get(n, ())) for n in range(len(taken))))
        n = 0
        while n < len(taken):
            step = taken[n]
            if step.is_text:
                self._text(self._found[step.first].raw, texts[n])
            elif n in ends and filled[n] == filled[ends[n]]:
                self._whole(step, taken[ends[n]], is_space=ends[n] > n + 1)
                n = ends[n]
            elif n in ends and self._is_raised(step) and lettered[n] == lettered[ends[n]]:
                self._whole(step, taken[ends[n]], is_space=False)
                n = ends[n]
            elif n in ends:
                element = self._element(self._found[step.first], self._found[taken[ends[n]].first])
                self._chain += (element,)
                self._copied += element.before
            elif n in closing:
                self._chain = self._chain[:-1]
                self._copied.append(self._found[step.first].raw)
            elif step.what == "mark":
                self._stay(step)
            else:
                self._break(step)
            n += 1
        self._end()
        return self._parts

    def _whole(self, start: Step, end: Step, *, is_space: bool) -> None:
        """An inline element that has no words in it."""
        tag, rest = self._reader.tag(self._found[start.first]), self._found[start.end : end.end]
        self._mark([*tag, raw(rest)], is_space=is_space)

    def _is_raised(self, step: Step) -> bool:
        return self._found[step.first].name in self._rules.raised

    def _element(self, start: Token, end: Token) -> Element:
        return Element(self._reader.tag(start), end.raw, self._rules.is_single(start))

    def _text(self, written: str, texts: Sequence[tuple[str, bool]]) -> None:
        for text, is_name in texts:
            self._content.append(Mark((text,), self._chain) if is_name else Run(text, self._chain))
        self._copied.append(written)

    def _mark(self, parts: Parts, *, is_space: bool) -> None:
        self._content.append(Mark(parts, self._chain, is_space))
        self._copied += parts

    def _stay(self, step: Step) -> None:
        """What stays as it is in its sentence. It is said if there is nothing in it but a word."""
        parts = self._inside(step)
        first, *inside = self._found[step.first : step.end]
        texts = [token.raw for token in inside if self._rules.is_text(token)]
        is_word = self._rules.is_word(first) and bool("".join(texts).strip())
        is_alone = is_word and len(inside) - len(texts) <= 1  # but for its end
        said = sayable(" ".join(unescaped("".join(texts)).split())) if is_alone else ""
        is_space = first.name in self._rules.spaces
        self._content.append(Mark(parts, self._chain, is_space, is_word=is_word, said=said))
        self._copied += parts

    def _inside(self, step: Step) -> Parts:
        """What stays in its sentence; there may be paragraphs in it."""
        first = self._found[step.first]
        if step.end == step.first + 1:
            return self._reader.tag(first)
        if self._rules.paragraphs is None or self._rules.is_copied(first) or self._is_deep:
            return (raw(self._found[step.first : step.end]),)
        inner = self._reader.parts(step.first + 1, step.end, self._level + 1)
        return [first.raw, *inner]

    @property
    def _is_deep(self) -> bool:
        return self._level >= INNERMOST

    def _break(self, step: Step) -> None:
        """Ends a passage, if there is one."""
        self._end()
        token = self._found[step.first]
        if step.end > step.first + 1:
            self._parts.append(raw(self._found[step.first : step.end]))
        else:
            self._parts += self._reader.tag(token)
        if self._rules.paragraphs and token.name in self._rules.paragraphs:
            self._depth += {"start": 1, "end": -1}.get(token.kind, 0)

    def _end(self) -> None:
        is_text = self._rules.paragraphs is None or self._depth > 0
        if is_text and any(isinstance(i, Run) and i.text.strip() for i in self._content):
            content = standing_alone(joined(self._content, self._reader.escape))
            self._parts.append(self._reader.passage(content, self._reader.escape))
        else:
            self._parts += self._copied
        self._content, self._copied = [], []


def _is_filled(step: Step, texts: Sequence[tuple[str, bool]] | None) -> bool:
    """Whether there is more than white space in it, and tags of inline elements."""
    if texts is None:
        return step.what == "mark"
    return any(is_name or text.strip() for text, is_name in texts)


def _has_letters(texts: Sequence[tuple[str, bool]]) -> bool:
    return any(is_name or any(map(str.isalpha, text)) for text, is_name in texts)


def _start(attribute: Attribute) -> int:
    return attribute.start
