"""Which language a text is in."""

from __future__ import annotations

import logging

import pytest

from heedful.serve.detect import LONGEST, guess_language

ENGLISH = "The old man sat by the window and watched the rain. "
GERMAN = "Der alte Mann saß am Fenster und sah dem Regen zu. "


def test_more_than_the_beginning_is_looked_at(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    text = "OK. 12:30. " + ENGLISH * 2 + GERMAN * 60
    assert guess_language(text, ["en", "de"])[0].language == "de"
    assert guess_language((GERMAN * 60)[:LONGEST] + ENGLISH * 999, ["en", "de"])[0].language == "de"
    assert not caplog.records  # not a line for each text


def test_codes_of_one_language_are_told_in_their_order() -> None:
    found = guess_language("O velho sentou-se à janela e viu a chuva.", ["en", "pt-br", "pt"])
    assert [guess.language for guess in found][:2] == ["pt-br", "pt"]
    assert found[0].confidence == found[1].confidence > 50


def test_nothing_to_tell_it_by() -> None:
    (found,) = guess_language(" ", ["de", "en"])
    assert (found.language, found.confidence) == ("de", 0.0)
