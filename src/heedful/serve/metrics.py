"""What the server counts, for Prometheus. Counting is plain arithmetic, by the one thread that
answers requests; Prometheus' own objects are made when somebody asks for them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from starlette.types import Scope

PATHS = frozenset({
    "/translate", "/translate_file", "/detect", "/languages", "/health", "/frontend/settings",
    "/metrics", "/v1/translate", "/v1/stream", "/v1/record", "/",
})  # fmt: skip
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
SENTENCES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)


class Spread:
    """Values, counted by how large they are."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._within = [0] * (len(bounds) + 1)  # above one bound, up to the next; the last has none
        self.total = 0.0

    def note(self, value: float) -> None:
        """One more."""
        self._within[bisect_left(self._bounds, value)] += 1
        self.total += value

    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus has them: each bound, and all up to it."""
        names = [*map(str, self._bounds), "+Inf"]
        return list(zip(names, accumulate(self._within), strict=True))


class Metrics(Collector):
    """Of one server. `waiting` tells how many sentences are in its queues."""

    def __init__(self, waiting: Callable[[], int]) -> None:
        self._waiting = waiting
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: defaultdict[str, Spread] = defaultdict(lambda: Spread(SECONDS))
        self.batch = Spread(SENTENCES)
        self.characters = 0
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        """A request that is answered. Paths that are not ours are one: there are endless many."""
        path = scope["path"] if scope["path"] in PATHS else "other"
        self._requests[path, status] += 1
        self._seconds[path].note(seconds)

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """All of it."""
        requests = CounterMetricFamily(
            "heedful_requests", "Requests answered", labels=["path", "status"]
        )
        for (path, status), n in self._requests.items():
            requests.add_metric([path, str(status)], n)
        yield requests
        seconds = HistogramMetricFamily(
            "heedful_request_seconds", "From a request to its answer", labels=["path"]
        )
        for path, spread in self._seconds.items():
            seconds.add_metric([path], spread.buckets(), spread.total)
        yield seconds
        yield HistogramMetricFamily(
            "heedful_batch_sentences", "Sentences that were translated together",
            buckets=self.batch.buckets(), sum_value=self.batch.total,
        )  # fmt: skip
        yield GaugeMetricFamily(
            "heedful_waiting_sentences", "Sentences in the queue", value=self._waiting()
        )
        yield CounterMetricFamily(
            "heedful_characters", "Characters taken in", value=self.characters
        )
