"""What Prometheus is told."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families

from heedful.serve.metrics import Metrics


def figures(metrics: Metrics) -> dict[tuple[str, ...], float]:
    """As Prometheus' own parser reads them, by name and labels."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_requests_are_counted_by_path_and_status() -> None:
    metrics = Metrics(waiting=lambda: 3)
    for status in (200, 200, 503):
        metrics.count({"path": "/translate"}, status, 0.03)
    for path in ("/wp-login.php", "/.env"):  # endless many: one
        metrics.count({"path": path}, 404, 0.0)
    metrics.characters += 120
    found = figures(metrics)
    assert found["heedful_requests_total", "/translate", "200"] == 2
    assert found["heedful_requests_total", "/translate", "503"] == 1
    assert found["heedful_requests_total", "other", "404"] == 2
    assert found["heedful_request_seconds_count", "/translate"] == 3
    assert found["heedful_request_seconds_sum", "/translate"] == pytest.approx(0.09)
    below = [found["heedful_request_seconds_bucket", s, "/translate"] for s in ("0.025", "0.05")]
    assert below == [0, 3]
    assert found["heedful_waiting_sentences",] == 3
    assert found["heedful_characters_total",] == 120


def test_a_value_is_counted_up_to_each_bound_that_it_does_not_exceed() -> None:
    metrics = Metrics(waiting=lambda: 0)
    for sentences in (1, 2, 3, 4, 1000):
        metrics.batch.note(sentences)
    found = figures(metrics)
    by_bound = {name[1]: n for name, n in found.items() if name[0].endswith("sentences_bucket")}
    assert [by_bound[bound] for bound in ("1.0", "2.0", "4.0", "256.0")] == [1, 2, 4, 4]
    assert by_bound["+Inf"] == found["heedful_batch_sentences_count",] == 5
    assert found["heedful_batch_sentences_sum",] == 1010
