"""Corpora that are drawn once for all tests of the demo."""

from __future__ import annotations

import pytest

from heedful.demo.corpus import DemoCorpus, generate


@pytest.fixture(scope="session")
def french_corpus() -> DemoCorpus:
    return generate("fr", train=30_000)


@pytest.fixture(scope="session")
def korean_corpus() -> DemoCorpus:
    return generate("ko", train=2_000)
