"""What goes wrong again and again."""

from __future__ import annotations

import logging

import pytest

from heedful.serve.troubles import Troubles


def test_each_is_told_once_until_it_is_another_or_over(caplog: pytest.LogCaptureFixture) -> None:
    troubles = Troubles()
    with caplog.at_level(logging.WARNING, "heedful.serve"):
        for about, text in [("a", "x"), ("a", "x"), ("b", "x"), ("a", "y"), ("a", "x")]:
            troubles.tell(about, text)
        troubles.end("b")
        troubles.end("never told")
        troubles.tell("b", "x")
    assert caplog.messages == ["x", "x", "y", "x", "x"]
