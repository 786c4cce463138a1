"""Subtitles (.srt): each cue is a passage, or each speaker's part of it; its number, its times, its
lines and the dashes before them stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from heedful.documents.allowance import Allowance
from heedful.documents.labels import UNTOLD, Languages
from heedful.documents.passage import Known, Passage
from heedful.documents.runs import DEEPEST, Chain, Element, Mark, Run
from heedful.documents.translatable import Hint
from heedful.errors import InputError
from heedful.planning import Translation
from heedful.text.line_marks import DASH
from heedful.text.sentences import ends_sentence

_LINE = re.compile(r"[^\r\n]*+(?:\r\n?+|\n)|[^\r\n]++")
_TIMES = re.compile(r"\s*\d+:\d\d:\d\d[,.]\d+\s*-->\s*\d+:\d\d:\d\d[,.]\d+.*", re.DOTALL)
_WORD_OR_SPACE = re.compile(r"\s+|\S+")
_NUMBER = re.compile(r"\s*\d+\s*")
_TAG = re.compile(r"<(/?)([bius]|font)\b[^<>]*>|\{\\[^{}]*\}", re.IGNORECASE)
"""All else is text, whatever it looks like: in subtitles nothing has to be escaped."""
_SPEAKER = re.compile(
    rf"\s*+(?>(?:(?:{_TAG.pattern})\s*+)*){DASH}(?:[^\S\r\n]++(?=\S)|(?=[^\s\d])(?!{DASH}))",
    re.IGNORECASE,
)
"""The dash of a line, and the tags before it: before all but numbers it needs no space."""
_ASIDE = (")", "]", "♪")
"""End a line that says what is heard."""


class Subtitles:
    """The cues, and what stands between them."""

    def __init__(self, text: str, allowance: Allowance) -> None:
        allowance.take_tags(text)
        self._parts: list[str | Cue] = []
        lines: list[str] = []
        is_told = False  # some times have come
        for line, following in pairwise([*_LINE.findall(text), ""]):
            is_number = _NUMBER.fullmatch(line) and _TIMES.fullmatch(following)
            if is_told and line.strip() and not is_number and not _TIMES.fullmatch(line):
                lines.append(line)
                continue
            is_told = is_told or _TIMES.fullmatch(line) is not None
            self._end(lines)
            lines = []
            self._parts.append(line)
        self._end(lines)
        if text.strip() and not is_told:
            raise InputError(
                "there are no subtitles in it: no line says when one is shown, as "
                "00:00:01,000 --> 00:00:02,500 does"
            )
        self._cues = [part for part in self._parts if isinstance(part, Cue)]
        for cue in self._cues:
            allowance.take_passage(cue.passage.text)

    def _end(self, lines: list[str]) -> None:
        """Of a cue: where a line begins with a dash, somebody else speaks, unless the dash is of a
        sentence that goes on."""
        said: list[str] = []
        are_marked = bool(lines) and _SPEAKER.match(lines[0]) is not None
        for line in lines:
            speaker = _SPEAKER.match(line)
            if speaker and (are_marked or _is_done(said[-1])):
                self._say(said)
                self._parts.append(speaker[0])
                said = [line[speaker.end() :]]
            else:
                said.append(line)
        self._say(said)

    def _say(self, lines: list[str]) -> None:
        if lines:
            cue = Cue(lines)
            self._parts += [cue] if cue.passage.text else lines

    @property
    def passages(self) -> list[str]:
        """To be translated."""
        return [cue.passage.text for cue in self._cues]

    @property
    def hints(self) -> list[Hint]:
        """One for each passage."""
        return [cue.passage.hint for cue in self._cues]

    def rendered(self, translations: Sequence[Translation], languages: Languages = UNTOLD) -> str:
        """The subtitles again."""
        coming = iter(translations)
        return "".join(
            part if isinstance(part, str) else part.rendered(next(coming)) for part in self._parts
        )


def _is_done(line: str) -> bool:
    """Whether all is said that it says."""
    text = _TAG.sub("", line).strip()
    return ends_sentence(text) or text.endswith(_ASIDE)


class Cue:
    """Some lines that one says, shown together: one text, in as many lines again."""

    def __init__(self, lines: list[str]) -> None:
        last = lines[-1]
        self._break = last[len(last.rstrip("\r\n")) :]
        self._between = "\r\n" if "\r\n" in lines[0] else "\n"
        stripped = [line.strip() for line in lines]
        self._ends = list(accumulate(len(_TAG.sub("", line)) + 1 for line in stripped))
        self.passage = Passage(tuple(_content(" ".join(stripped))), escape=str)

    def rendered(self, translation: Translation) -> str:
        """In as many lines, cut where the source was."""
        placed = list(_parted(self.passage.placed(translation)))
        texts = [item.text if isinstance(item, Run) else "" for item in placed]
        scale = (sum(map(len, texts)) + 1) / self._ends[-1]
        n_lines, length = 1, 0
        out: list[Run | Mark] = []
        for n, (item, text) in enumerate(zip(placed, texts, strict=True)):
            if text.isspace() and n_lines < len(self._ends):
                following = _word_length(texts, n + 1)
                if length + 1 + following / 2 > scale * self._ends[n_lines - 1]:
                    n_lines += 1
                    item = Run(self._between, item.chain)
            length += len(text)
            out.append(item)
        return self.passage.written(out, Known()) + self._break


def _parted(placed: Iterable[Run | Mark]) -> Iterator[Run | Mark]:
    """With white space by itself."""
    for item in placed:
        if isinstance(item, Mark):
            yield item
        else:
            yield from (Run(text, item.chain) for text in _WORD_OR_SPACE.findall(item.text))


def _word_length(texts: Sequence[str], first: int) -> int:
    """Of what comes up to the next white space."""
    length = 0
    for n in range(first, len(texts)):
        if texts[n].isspace():
            break
        length += len(texts[n])
    return length


def _content(text: str) -> Iterator[Run | Mark]:
    """Tags that have no other half, and those of other programs, are marks."""
    tags = list(_TAG.finditer(text))
    ends = _pairs(tags)
    closing = set(ends.values())
    chain: Chain = ()
    place = 0
    for n, tag in enumerate(tags):
        if tag.start() > place:
            yield Run(text[place : tag.start()], chain)
        place = tag.end()
        if n in ends:
            chain = (*chain, Element((tag[0],), tags[ends[n]][0]))
            yield Mark((), chain)  # so that it stays, whatever becomes of its words
        elif n in closing:
            chain = chain[:-1]
        else:
            yield Mark((tag[0],), chain)
    if place < len(text):
        yield Run(text[place:], chain)


def _pairs(tags: Sequence[re.Match[str]]) -> dict[int, int]:
    """Where elements begin and end."""
    ends: dict[int, int] = {}
    waiting: list[int] = []
    for n, tag in enumerate(tags):
        if tag[2] and not tag[1] and len(waiting) < DEEPEST:
            waiting.append(n)
        elif tag[2] and tag[1] and waiting and tags[waiting[-1]][2].lower() == tag[2].lower():
            ends[waiting.pop()] = n
    return ends
