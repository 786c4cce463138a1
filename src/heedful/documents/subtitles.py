"""Subtitles (.srt): each cue is a passage; its number, its times and its lines stay."""

from __future__ import annotations

import re
from collections.abc import Sequence

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

    def rendered(self, translations: Sequence[Translation]) -> str:
        """The subtitles again."""
        coming = list(translations)
        out = []
        for part in self._parts:
            if isinstance(part, Cue):
                n = len(part.passages)
                out.append(part.rendered(coming[:n]))
                del coming[:n]
            else:
                out.append(part)
        return "".join(out)


class Cue:
    """Some lines that are shown together: one text, in as many lines again."""

    def __init__(self, lines: list[str]) -> None:
        self._lengths = [len(line.strip()) for line in lines]
        last = lines[-1]
        self._break = last[len(last.rstrip("\r\n")) :] if last.endswith(("\n", "\r")) else ""
        self._between = "\r\n" if "\r\n" in lines[0] else "\n"
        self._markup = read_markup(" ".join(line.strip() for line in lines))

    @property
    def passages(self) -> list[str]:
        """One, as a rule."""
        return self._markup.passages

    def rendered(self, translations: Sequence[Translation]) -> str:
        """In as many lines, cut where the source was."""
        text = self._markup.rendered(translations)
        scale = len(text) / max(1, sum(self._lengths))
        lines: list[str] = [""]
        for word in text.split(" "):
            wanted = scale * sum(self._lengths[: len(lines)])
            is_full = sum(map(len, lines)) + len(word) / 2 > wanted
            if lines[-1] and is_full and len(lines) < len(self._lengths):
                lines.append(word)
            else:
                lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
        return self._between.join(lines) + self._break
