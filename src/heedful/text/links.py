"""Which words of a translation come from which words of its source, as places in both texts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heedful.text.scripts import WITHOUT_SPACES
from heedful.text.special import SPACE
from heedful.text.tokenizer import Tokenizer

Span = tuple[int, int]
Weights = Sequence[Sequence[float]]
"""Of each target token, how much it looked at each source token."""

_WORD = re.compile(r"\S+")


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
    wholes = _wholes([span for span, _ in source_words], terms)
    found = []
    for span, tokens in target_words:
        shares = [
            sum(weights[t][s] for t in tokens for s in places) / len(tokens)
            for _, places in source_words
        ]
        if shares:
            whole = wholes[max(range(len(shares)), key=shares.__getitem__)]
            place = source_words[whole[0]][0][0], source_words[whole[-1]][0][1]
            share = sum(shares[n] for n in whole)
            found.append(Link(place, span, round(min(1.0, share), 4)))
    return tuple(found)


def _wholes(words: Sequence[Span], terms: Iterable[Span]) -> list[range]:
    """For each word those that it is one with, itself included."""
    wholes = [range(n, n + 1) for n in range(len(words))]
    starts, ends = [start for start, _ in words], [end for _, end in words]
    for start, end in terms:
        whole = range(bisect_right(ends, start), bisect_left(starts, end))
        wholes[whole.start : whole.stop] = [whole] * len(whole)
    return wholes


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
