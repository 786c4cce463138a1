"""Which words of a translation come from which words of its source, as places in both texts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heedful.text.scripts import WITHOUT_SPACES
from heedful.text.special import SPACE
from heedful.text.tokenizer import Tokenizer

Span = tuple[int, int]
Weights = Sequence[Sequence[float]]
"""Of each target token, how much it looked at each source token."""

_WORD = re.compile(r"\S+")
_GLANCE = 0.1  # share of a word's look that is enough for a term that no word looks at most


@dataclass(frozen=True)
class Link:
    """A target word, and the source word that it looked at most."""

    source: Span
    target: Span
    score: float
    """Its share of what the word looked at."""

    def moved(self, source: int, target: int) -> Link:
        """In texts that have so much before these."""
        (a, b), (c, d) = self.source, self.target
        return Link((a + source, b + source), (c + target, d + target), self.score)


def links(
    source: tuple[str, Tokenizer, Sequence[int]],
    target: tuple[str, Tokenizer, Sequence[int]],
    weights: Weights,
    terms: Iterable[Span] = (),
) -> tuple[Link, ...]:
    """For each word of the target. Where a script has no spaces, pieces are taken for words. What
    looks at a word of one of the terms in the source looks at the whole term."""
    source_words, target_words = _words(*source), _words(*target)
    if not source_words:
        return ()
    places = [tokens for _, tokens in source_words]
    shares = [
        [sum(weights[t][s] for t in tokens for s in place) / len(tokens) for place in places]
        for _, tokens in target_words
    ]
    found = []
    looked_at = _looked_at(shares, _in_words([span for span, _ in source_words], terms))
    for (span, _), share, whole in zip(target_words, shares, looked_at, strict=True):
        place = source_words[whole[0]][0][0], source_words[whole[-1]][0][1]
        found.append(Link(place, span, round(min(1.0, sum(share[n] for n in whole)), 4)))
    return tuple(found)


def _in_words(words: Sequence[Span], terms: Iterable[Span]) -> list[range]:
    """Which words each term is in."""
    starts, ends = [start for start, _ in words], [end for _, end in words]
    return [range(bisect_right(ends, start), bisect_left(starts, end)) for start, end in terms]


def _looked_at(shares: Weights, terms: Sequence[range]) -> list[range]:
    """What each word looks at most. A term that is left out has one of several words that look at
    another: in "Ein Mann in Schwarz", "Mann" may look at "black" more than at "man"."""
    wholes = {n: term for term in terms for n in term}
    best = [max(range(len(some)), key=some.__getitem__) for some in shares]
    found = [wholes.get(n, range(n, n + 1)) for n in best]
    often = Counter(found)
    each = dict.fromkeys(wholes.values())
    for term in each:
        if often[term]:
            continue
        free = [n for n, whole in enumerate(found) if often[whole] > 1 and whole not in each]
        looks = {n: sum(shares[n][s] for s in term) for n in free}
        most = max(looks, key=looks.__getitem__, default=None)
        if most is not None and looks[most] >= _GLANCE:
            often.subtract([found[most]])
            found[most] = term
            often[term] += 1
    return found


def _words(text: str, tokenizer: Tokenizer, ids: Sequence[int]) -> list[tuple[Span, list[int]]]:
    """Each word's place in the text, and its tokens. They are found one behind the other, in the
    next word of the text: what a tokenizer has changed on the way (é in one or in two characters)
    is that word as it is, or what is left of it."""
    found = []
    end = 0
    for tokens in tokens_of_words(tokenizer, ids):
        word = tokenizer.decode([ids[n] for n in tokens]).strip()
        if not word:
            continue
        match = _WORD.search(text, end)
        if match is None:
            break
        start = text.find(word, match.start(), match.end())
        start, end = (start, start + len(word)) if start >= 0 else match.span()
        found.append(((start, end), tokens))
    return found


def tokens_of_words(tokenizer: Tokenizer, ids: Sequence[int]) -> list[list[int]]:
    """The tokens of each word, as places: where a script has no spaces, each is one."""
    groups: list[list[int]] = []
    for n, piece in enumerate(tokenizer.pieces(ids)):
        alone = tokenizer.kind != "subwords" or WITHOUT_SPACES.search(piece)
        if alone or not groups or piece.startswith(SPACE):
            groups.append([n])
        else:
            groups[-1].append(n)
    return groups
