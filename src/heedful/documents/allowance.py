"""How much a document may hold: counted while it is read, so that too much costs little."""

from __future__ import annotations

from dataclasses import dataclass

from heedful.errors import InputError

MOST_UNPACKED = 100_000_000  # bytes
MOST_TAGS = 300_000  # of a document: each takes up to a kilobyte while it is read
MOST_CHARACTERS = 1_000_000
MOST_PASSAGES = 100_000  # each takes room, however short it is
WRITTEN = 10
"""Characters in the file for one of text: names and numbers of characters are long, and indents."""
RATIO = 200
"""Bytes that one of an archive may become: text becomes ten or twenty, and what was made to harm a
thousand."""
ALWAYS = 1 << 20  # bytes that an archive may unpack to, however small it is


@dataclass
class Allowance:
    """What is left; the fields are what a document may have at most."""

    unpacked: int = MOST_UNPACKED
    """Bytes in an archive."""
    tags: int = MOST_TAGS
    characters: int = MOST_CHARACTERS
    """Of text."""
    passages: int = MOST_PASSAGES

    def __post_init__(self) -> None:
        self._left = {"tags": self.tags, "characters": self.characters, "passages": self.passages}
        self._written = WRITTEN * self.characters

    def unpacking(self, packed: int) -> int:
        """Bytes that may come out of an archive of so many."""
        return min(self.unpacked, max(ALWAYS, RATIO * packed))

    def take_tags(self, text: str) -> None:
        """Before they are looked at."""
        self._take("tags", text.count("<"), f"{self.tags:,} tags")

    def take_written(self, length: int) -> None:
        """Some text as it is in the file, before it is read."""
        self._written -= length
        if self._written < 0:
            self._take("characters", self.characters + 1, f"{self.characters:,} characters of text")

    def take_passage(self, text: str) -> None:
        """One that has been found."""
        self._take("passages", 1, f"{self.passages:,} passages")
        self._take("characters", len(text), f"{self.characters:,} characters of text")

    def _take(self, what: str, n: int, most: str) -> None:
        self._left[what] -= n
        if self._left[what] < 0:
            raise InputError(f"the document has too much in it: {most} at most")
