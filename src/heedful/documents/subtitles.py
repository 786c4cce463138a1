"""Subtitles (.srt): each cue is a passage; its number, its times and its lines stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from heedful.documents.markup import read_markup
from heedful.planning import Translation

_TIMES = re.compile(r"\d+:\d\d:\d\d[,.]\d+\s*-->\s*\d+:\d\d:\d\d[,.]\d+.*")


class Subtitles:
    """The cues, and what stands between them."""

    def __init__(self, text: str) -> None:
        self._parts: list[str | Cue] = []
        lines: list[str] = []
        in_cue = False
        for line in text.splitlines(keepends=True):
            if _TIMES.fullmatch(line.strip()):
                in_cue = True
                self._parts.append(line)
            elif in_cue and line.strip():
                lines.append(line)
            else:
                self._end(lines)
                lines, in_cue = [], False
                self._parts.append(line)
        self._end(lines)

    def _end(self, lines: list[str]) -> None:
        if lines:
            self._parts.append(Cue(lines))

    @property
    def passages(self) -> list[str]:
        """To be translated."""
        return [text for part in self._parts if isinstance(part, Cue) for text in part.passages]

    @property
    def mixed(self) -> list[bool]:
        """Of each passage, whether it matters which word came from which."""
        return [is_so for part in self._parts if isinstance(part, Cue) for is_so in part.mixed]

    def rendered(self, translations: Sequence[Translation]) -> str:
        """The subtitles again."""
        coming = iter(translations)
        return "".join(
            part if isinstance(part, str) else part.rendered([next(coming) for _ in part.passages])
            for part in self._parts
        )


class Cue:
    """Some lines that are shown together: one text, in as many lines again."""

    def __init__(self, lines: list[str]) -> None:
        self._ends = list(accumulate(len(line.strip()) + 1 for line in lines))
        last = lines[-1]
        self._break = last[len(last.rstrip("\r\n")) :] if last.endswith(("\n", "\r")) else ""
        self._between = "\r\n" if "\r\n" in lines[0] else "\n"
        self._markup = read_markup(" ".join(line.strip() for line in lines))

    @property
    def passages(self) -> list[str]:
        """One, as a rule."""
        return self._markup.passages

    @property
    def mixed(self) -> list[bool]:
        """Of each of them, whether it matters which word came from which."""
        return self._markup.mixed

    def rendered(self, translations: Sequence[Translation]) -> str:
        """In as many lines, cut where the source was."""
        text = self._markup.rendered(translations)
        scale = (len(text) + 1) / self._ends[-1]
        lines: list[list[str]] = [[]]
        length = 0  # of all words so far, each with the space behind it
        for word in text.split(" "):
            is_full = length + len(word) / 2 > scale * self._ends[len(lines) - 1]
            if lines[-1] and is_full and len(lines) < len(self._ends):
                lines.append([])
            length += len(word) + 1
            lines[-1].append(word)
        return self._between.join(map(" ".join, lines)) + self._break
