"""How fast somebody may ask: buckets that fill as time goes by, one for each who asks."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from heedful.serve.refused import Refused

MOST_KNOWN = 20_000  # who asked longest ago is forgotten first, which a minute later is no loss


class Rates:
    """Of all addresses, or of all keys."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # drops, when seen

    def take(self, who: str, per_minute: int, cost: int = 1) -> None:
        """Counts `cost` requests; Refused if that is too fast. A minute's may come at once."""
        if per_minute <= 0:
            return
        if cost > per_minute:
            raise Refused(
                400, f"this counts as {cost} requests, and {per_minute} a minute are allowed"
            )
        now = self._clock()
        drops, seen = self._buckets.pop(who, (float(per_minute), now))
        drops = min(float(per_minute), drops + (now - seen) * per_minute / 60)
        enough = drops >= cost
        self._buckets[who] = (drops - cost if enough else drops, now)
        while len(self._buckets) > MOST_KNOWN:
            self._buckets.popitem(last=False)
        if not enough:
            wait = (cost - drops) * 60 / per_minute
            raise Refused(
                429,
                f"too fast: {per_minute} requests a minute, each text of a list is one",
                retry_after=wait,
            )
