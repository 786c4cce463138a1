"""Single numbers for how near hypotheses are to references; all text is detokenised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq

from heedful.errors import InputError
from heedful.evaluation.pairs import Pairs
from heedful.evaluation.sacre import corpus_score
from heedful.evaluation.tokenizers import make_bleu


@dataclass(frozen=True)
class Score:
    """One score, with what is needed to repeat it and to judge how sure it is."""

    name: str
    value: float
    """In percent."""
    signature: str = ""
    """How it was computed, in sacreBLEU's notation; print it beside the score in a paper."""
    confidence: float | None = None
    """Half the width of the 95 % confidence interval."""
    interval: tuple[float, float] | None = None
    """The interval itself; its centre is not quite `value`."""


def bleu(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Corpus BLEU as sacreBLEU has it by default: cased, 13a tokens, exponential smoothing."""
    pairs = Pairs(hypotheses, references)
    return float(corpus_score(make_bleu(), pairs).score)


def chrf(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Corpus chrF2 as sacreBLEU has it by default: character 6-grams, recall counts double."""
    pairs = Pairs(hypotheses, references)
    from sacrebleu import CHRF

    return float(corpus_score(CHRF(), pairs).score)


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Percent of lines that equal their reference; space around a line does not count."""
    pairs = Pairs(hypotheses, references)
    return 100 * count_exact(pairs) / len(pairs)


def count_exact(pairs: Pairs) -> int:
    """How many lines equal their reference."""
    return sum(map(eq, pairs.hypotheses, pairs.references))


def edit_distance(a: Sequence[str], b: Sequence[str]) -> int:
    """The fewest insertions, deletions and substitutions that turn a into b (Levenshtein).

    d[i, j] = min(d[i-1, j] + 1, d[i, j-1] + 1, d[i-1, j-1] + [a_i != b_j]); row i needs only
    row i-1, so two rows are kept.
    """
    previous = list(range(len(b) + 1))
    for i, item in enumerate(a, start=1):
        current = [i]
        for j, other in enumerate(b, start=1):
            substitution = previous[j - 1] + (item != other)
            current.append(min(previous[j] + 1, current[j - 1] + 1, substitution))
        previous = current
    return previous[-1]


def word_error_rate(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Percent: edits between the words of all lines, over the number of reference words.

    Words are what spaces separate. This is not what SIGMORPHON's grapheme-to-phoneme tasks call
    word error rate: that is the share of lines that are not wholly right, 100 - exact_match.
    """
    return pooled_word_errors(Pairs(hypotheses, references))


def pooled_word_errors(pairs: Pairs) -> float:
    """`word_error_rate` of pairs."""
    n_words = sum(len(reference.split()) for reference in pairs.references)
    if n_words == 0:
        raise InputError(
            f"the word error rate is edits over reference words: got {len(pairs)} "
            "references with 0 words, wanted at least one word; check the reference file"
        )
    both = zip(pairs.hypotheses, pairs.references, strict=True)
    edits = sum(edit_distance(a.split(), b.split()) for a, b in both)
    return 100 * edits / n_words
