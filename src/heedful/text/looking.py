"""The words of a translation that look at one place of its source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heedful.text.links import Link, Span
from heedful.text.numbers import NUMBER


class Looking:
    """Their links, sorted by source and target. What may be taken is at the end of each list."""

    def __init__(self, translation: str, links: Sequence[Link]) -> None:
        self.by_score = sorted(links, key=lambda link: (link.score, -link.target[0]))
        self.in_order = sorted(links, key=lambda link: link.target, reverse=True)
        numbers = [(link, NUMBER.search(translation, *link.target)) for link in self.by_score]
        self.numbers = [(link, found.span()) for link, found in numbers if found]
        self.are_any, self.are_several = len(links) > 0, len(links) > 1
        self.source: Span = (links[0].source[0], links[-1].source[1]) if links else (0, 0)
        of_first = [link.target for link in links if link.source == links[0].source]
        of_last = [link.target for link in links if link.source == links[-1].source]
        self.first: Span = min(of_last, default=(0, 0))
        """What stands before the last source word goes before this."""
        self.last: Span = max(of_first, default=(0, 0))
        """What stands behind the first source word goes behind this."""

    def drop(self, is_kept: Callable[[Span], bool]) -> None:
        """Those at the ends that may not be taken, or no longer."""
        for some in (self.by_score, self.in_order):
            while some and is_kept(some[-1].target):
                some.pop()
        while self.numbers and is_kept(self.numbers[-1][0].target):
            self.numbers.pop()
