from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.see.pictures import fonts
from heedful.see.pictures.fonts import fonts_for, printable


def test_latin_arabic_and_phonetic_text_needs_no_other_font() -> None:
    for text in ("Où êtes-vous ? Straße", "مرحبا", "lɑ̃ɡ", "Žluťoučký kůň", "→ “it”", ""):
        assert fonts_for(text) == ["DejaVu Sans"]
        assert printable(text) == text


@pytest.mark.usefixtures("bare")
def test_missing_characters_become_boxes() -> None:
    assert printable("a 한국 b") == "a □□ b"
    assert fonts_for("a 한국 b") == ["DejaVu Sans"]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("text", "package"),
    [("한국어", "fonts-nanum"), ("日本", "fonts-noto-cjk"), ("かな", "fonts-noto-cjk"),
     ("🦊", "fonts-symbola"), ("हिन्दी", "fonts-noto-core")],
)  # fmt: skip
def test_the_hint_names_the_package(
    text: str, package: str, caplog: pytest.LogCaptureFixture
) -> None:
    fonts_for(text)
    assert f"apt install {package}" in caplog.text
    assert text[0] in caplog.text


@pytest.mark.usefixtures("bare")
def test_the_hint_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="heedful.see"):
        fonts_for("한국")
        fonts_for("어 국한국")
    assert len(caplog.records) == 1
    assert "fonts-nanum" in caplog.text


def test_installed_fonts_are_found_if_there_are_any() -> None:
    families = fonts_for("한")
    held = any("한" in fonts._holds(family) for family in families)
    assert held == (printable("한") == "한")


def test_signs_without_a_shape_are_left_out() -> None:
    assert printable("a\u200db\ufe0f\u202e\x00c\td\ne") == "abc d e"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=12))
def test_no_text_makes_matplotlib_warn(text: str) -> None:
    """Warnings are errors here, and matplotlib warns when it lays a missing glyph out."""
    from matplotlib.figure import Figure

    label = Figure().text(
        0, 0, printable(text), fontfamily=fonts_for(text), parse_math=False, fontsize=12
    )
    label.get_window_extent()
