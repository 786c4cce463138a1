from __future__ import annotations

from collections.abc import Iterator

import pytest

from heedful.see.pictures import fonts


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A system that has no font but matplotlib's own."""
    monkeypatch.setattr(fonts, "_candidates", lambda: ())
    monkeypatch.setattr(fonts, "_said", set())
    fonts._match.cache_clear()
    yield
    fonts._match.cache_clear()
