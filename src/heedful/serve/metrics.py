"""What the server counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import Scope

PATHS = (
    "/translate", "/translate_file", "/detect", "/languages", "/health", "/frontend/settings",
    "/metrics", "/v1/translate", "/v1/stream", "/v1/record", "/",
)  # fmt: skip


class Metrics:
    """Of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "heedful_requests", "Requests answered", ["path", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "heedful_request_seconds", "From a request to its answer", ["path"],
            registry=self.registry,
        )  # fmt: skip
        self.batch = Histogram(
            "heedful_batch_sentences", "Sentences that were translated together",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256), registry=self.registry,
        )  # fmt: skip
        self.waiting = Gauge(
            "heedful_waiting_sentences", "Sentences in the queue", registry=self.registry
        )
        self.characters = Counter(
            "heedful_characters", "Characters taken in", registry=self.registry
        )

        self._of_path: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        """A request that is answered. Paths that are not ours are one: there are endless many."""
        path = scope["path"] if scope["path"] in PATHS else "other"
        of_path = self._of_path.get((path, status))
        if of_path is None:
            of_path = (self.requests.labels(path, status), self.seconds.labels(path))
            self._of_path[path, status] = of_path
        requests, took = of_path
        requests.inc()
        took.observe(seconds)

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self.registry)
