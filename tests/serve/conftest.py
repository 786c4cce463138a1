"""One server for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .served import Running, running


@pytest.fixture(scope="session")
def server(prose_run: Path) -> Iterator[Running]:
    """English to Esperanto, with room for as many requests as there are tests."""
    with running(prose_run, "--rate", 0) as found:
        yield found
