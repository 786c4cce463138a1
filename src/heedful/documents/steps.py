"""The tokens of a text as steps: words, inline tags, what stays, what parts passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from heedful.documents.rules import Rules
from heedful.documents.runs import DEEPEST
from heedful.documents.tags import Token


class Step(NamedTuple):
    """Some tokens, from the first to before the end."""

    what: Literal["text", "inline", "mark", "break"]
    first: int
    end: int

    @property
    def is_text(self) -> bool:
        """Whether it is words."""
        return self.what == "text"


def steps(
    found: Sequence[Token], ends: Sequence[int], rules: Rules, first: int, last: int
) -> Iterator[Step]:
    """Of the tokens from the first to before the last."""
    n, depth = first, 0  # of paragraphs
    while n < last:
        token, end = found[n], n + 1
        is_in_paragraph = rules.paragraphs is not None and depth > 0
        if rules.paragraphs and token.name in rules.paragraphs:
            depth += {"start": 1, "end": -1}.get(token.kind, 0)
            yield Step("break", n, end)
        elif rules.is_text(token):
            yield Step("text", n, end)
        elif rules.is_copied(token):
            end = min(ends[n], last)
            yield Step("mark" if rules.is_mark(token) else "break", n, end)
        elif token.kind in ("start", "end") and rules.is_inline(token):
            yield Step("inline", n, end)
        elif rules.is_mark(token):
            yield Step("mark", n, end)
        elif is_in_paragraph and token.kind != "end" and token.name not in rules.breaks:
            end = min(ends[n], last)
            yield Step("mark", n, end)
        else:
            yield Step("break", n, end)
        n = end


def pairs(taken: Sequence[Step], found: Sequence[Token]) -> dict[int, int]:
    """Where inline elements begin and end: those that hold nothing that parts passages."""
    ends: dict[int, int] = {}
    waiting: list[int] = []
    for n, step in enumerate(taken):
        token = found[step.first]
        if step.what == "inline" and token.kind == "start":
            if len(waiting) == DEEPEST:
                waiting.clear()
            waiting.append(n)
        elif step.what == "inline" and waiting:
            if found[taken[waiting[-1]].first].name == token.name:
                ends[waiting.pop()] = n
            else:
                waiting.clear()
        elif step.what == "break":
            waiting.clear()
    return ends
