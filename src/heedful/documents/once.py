"""Elements that may stand in a text only once: links, and what others find by its id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from heedful.documents.runs import Element, Mark, Run


def standing_once(placed: Sequence[Run | Mark]) -> list[Run | Mark]:
    """The same, but of such an element that words have parted the largest part alone stays in
    it."""
    kept = {
        element: max(stretches, key=lambda stretch: _length(placed[n] for n in stretch))
        for element, stretches in _stretches(placed).items()
        if len(stretches) > 1
    }
    return [_outside(item, n, kept) for n, item in enumerate(placed)] if kept else list(placed)


def _stretches(placed: Sequence[Run | Mark]) -> dict[Element, list[range]]:
    """What stands in each of these elements, without a break."""
    found: dict[Element, list[range]] = {}
    for n, item in enumerate(placed):
        for element in item.chain:
            if element.is_single:
                own = found.setdefault(element, [])
                start = own.pop().start if own and own[-1].stop == n else n
                own.append(range(start, n + 1))
    return found


def _outside(item: Run | Mark, n: int, kept: dict[Element, range]) -> Run | Mark:
    """Without the elements that are kept elsewhere."""
    chain = tuple(element for element in item.chain if n in kept.get(element, (n,)))
    return replace(item, chain=chain)


def _length(items: Iterable[Run | Mark]) -> int:
    """A picture counts as a letter does, and what stands for nothing does not count."""
    return sum(
        len(item.text.strip()) if isinstance(item, Run) else bool(item.parts) for item in items
    )
