"""How many are connected, and how many of them from one address."""

from __future__ import annotations

import math
from collections import Counter

from heedful.serve.guard.addresses import counted
from heedful.serve.refused import Refused, busy

SPARE = 100  # connections above the limit, which are told why they get no answer
SPARE_OF_ONE = 10  # the same of one address


class Crowd:
    """Nobody may take all the places. 0 from one address stands for no limit."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self.most = most
        self._most_of_one = most_of_one or math.inf
        self._here: Counter[str] = Counter()
        self.total = 0

    def enter(self, address: str) -> Refused | None:
        """One more from this address; why it is not answered, if it is not. Those who were here
        before are."""
        self.total += 1
        self._here[counted(address)] += 1
        if self.total > self.most:
            return busy(1.0)
        if self._here[counted(address)] <= self._most_of_one:
            return None
        why = f"too many connections from one address: {self._most_of_one} at most"
        return Refused(429, why, retry_after=1.0)

    def leave(self, address: str) -> None:
        """One less."""
        self.total -= 1
        own = counted(address)
        self._here[own] -= 1
        if not self._here[own]:
            del self._here[own]

    def is_far_too_many(self, address: str) -> bool:
        """Whether not even that can be told any more."""
        of_one = self._here[counted(address)]
        return self.total > self.most + SPARE or of_one > self._most_of_one + SPARE_OF_ONE
