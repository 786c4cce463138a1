"""Translation edit rate (Snover et al., 2006) by sacreBLEU: edits, of which moving a phrase is one,
over reference words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from heedful.evaluation.names import Tokenize
from heedful.evaluation.pairs import Pairs

if TYPE_CHECKING:
    from sacrebleu import TER

TOO_SLOW = (
    "TER is left out: on so many words in a line sacreBLEU takes minutes for it; --ter computes it"
)
_MOST_WORK = 200_000_000
"""About a minute: 0.3 µs each, as measured on translations of 10 to 400 words a line."""
_MANY_WORDS = 100
"""Where sacreBLEU tries as many moves as it ever does; beyond, the time of each still grows."""


def make_ter(tokenize: Tokenize = "13a") -> TER:
    """sacreBLEU's TER, with Chinese and Japanese cut into characters where `tokenize` says that the
    text is one of these; lines that were scored before are not scored again."""
    from sacrebleu import TER
    from sacrebleu.metrics.ter import TERScore

    class CachedTER(TER):
        """Its scores are Python's floats, for the mean of the bootstrap (see `make_chrf`)."""

        def _compute_segment_statistics(
            self, hypothesis: str, ref_kwargs: dict[str, Any]
        ) -> list[float]:
            (reference,) = ref_kwargs["ref_words"]
            return list(_edits(hypothesis, " ".join(reference)))

        def _compute_score_from_stats(self, stats: list[float]) -> TERScore:
            score = super()._compute_score_from_stats(stats)
            score.score = float(score.score)
            return score

    in_characters = _is_in_characters(tokenize)
    return CachedTER(normalized=in_characters, asian_support=in_characters)


def takes_long(systems: Iterable[Pairs], tokenize: Tokenize) -> bool:
    """Whether TER takes minutes: its time grows with the cube of the words in a line."""
    work = 0
    for pairs in systems:
        for lines in zip(pairs.hypotheses, pairs.references, strict=True):
            n = max(len(s) if _is_in_characters(tokenize) else len(s.split()) for s in lines)
            work += n * min(n, _MANY_WORDS) ** 2
    return work > _MOST_WORK


def _is_in_characters(tokenize: Tokenize) -> bool:
    return tokenize in ("zh", "ja-mecab")


@lru_cache(maxsize=1 << 16)
def _edits(hypothesis: str, reference: str) -> tuple[float, float]:
    """Edits and reference words; remembered: a comparison follows the reports of its systems."""
    from sacrebleu.metrics.lib_ter import translation_edit_rate

    n_edits, n_words = translation_edit_rate(hypothesis.split(), reference.split())
    return n_edits, n_words
