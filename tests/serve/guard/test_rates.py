"""Buckets."""

from __future__ import annotations

import pytest

from heedful.serve.guard import rates
from heedful.serve.guard.rates import Rates
from heedful.serve.refused import Refused


def test_a_minutes_worth_at_once_and_then_as_time_goes_by() -> None:
    now = 0.0
    bucket = Rates(lambda: now)
    for _ in range(60):
        bucket.take("a", 60)
    with pytest.raises(Refused) as refused:
        bucket.take("a", 60)
    assert refused.value.status == 429
    assert refused.value.retry_after == pytest.approx(1.0)
    bucket.take("b", 60)  # others have their own
    now = 1.0
    bucket.take("a", 60)
    with pytest.raises(Refused):
        bucket.take("a", 60)
    now = 1000.0
    bucket.take("a", 60, cost=60)  # a bucket holds a minute's worth, not more
    with pytest.raises(Refused):
        bucket.take("a", 60)


def test_no_limit() -> None:
    bucket = Rates(lambda: 0.0)
    for _ in range(1000):
        bucket.take("a", 0, cost=1000)


def test_what_could_never_be_allowed_is_told_so() -> None:
    with pytest.raises(Refused) as refused:
        Rates().take("a", 60, cost=61)
    assert refused.value.status == 400


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MOST_KNOWN", 10)
    bucket = Rates(lambda: 0.0)
    for n in range(100):
        bucket.take(str(n), 60)
    assert len(bucket._buckets) == 10
