"""Which words SentencePiece cuts in the same way, whatever stands before them on the line.

No piece has a space inside, so words are cut one by one. Byte pair encoding joins pieces by rank:
what it does to a word hangs on that word alone. A unigram model takes the most probable cut, and
adds up log probabilities in 32 bits from the beginning of the line: where two cuts are almost
equally probable, rounding decides, and rounding hangs on all that stood before. So a word is
certain if its best cut beats every other by more than rounding can amount to.
"""

from __future__ import annotations

import math

from heedful.text.special import SPACE
from heedful.text.tokenizer import Tokenizer

LARGEST_SUM = 2.0**14
"""Lines whose log probability may be beyond that are not spoken of here."""

ROUNDING = 2.0**-11
"""Half of the last bit of a 32-bit sum up to there: what one addition is off by at most."""

LONGEST_WORD = 40  # characters; longer ones do not come back


class Certainty:
    """Answers for one tokenizer of subwords."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._chances = tokenizer.log_probabilities()
        self._characters = {piece for piece in tokenizer.vocabulary if len(piece) == 1}
        self._longest_piece = max(map(len, tokenizer.vocabulary))
        self.holds = tokenizer.kind == "subwords" and not any(
            SPACE in piece[1:] for piece in tokenizer.vocabulary
        )
        """Whether words are cut one by one at all."""
        self.longest_line: float = math.inf
        """Characters of a line of which the sums stay small enough. Spelling it out letter by
        letter is one of its cuts, so the best one is no less probable."""
        if self._chances:
            self.longest_line = LARGEST_SUM / max(1.0, -min(self._chances.values())) - 2

    def is_certain(self, word: str) -> bool:
        """Whether the word is cut anywhere as it is alone. No is said too often, never too rarely:
        of words with characters that would be spelt in bytes, always."""
        if not word or len(word) > LONGEST_WORD or SPACE in word or " " in word:
            return False
        if SPACE not in self._characters or not self._characters.issuperset(word):
            return False
        # Both the best cut and its rival may be off, by as many roundings as they have pieces.
        return self._chances is None or self._lead(word) > 2 * (len(word) + 1) * ROUNDING

    def _lead(self, word: str) -> float:
        """By how much the log probability of the best cut exceeds that of the second best."""
        assert self._chances is not None
        text, chance_of = SPACE + word, self._chances.get
        best, second = [0.0], [-math.inf]  # of the first 0, 1, 2... characters
        for end in range(1, len(text) + 1):
            first = next_best = -math.inf
            for start in range(max(0, end - self._longest_piece), end):
                if (chance := chance_of(text[start:end])) is None:
                    continue
                if (cut := best[start] + chance) > first:
                    first, next_best = cut, max(first, second[start] + chance)
                elif cut > next_best:
                    next_best = cut
            best.append(first)
            second.append(next_best)
        return best[-1] - second[-1]
