from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.text.normalization import is_nfc, nfc, nfc_rules


def text_of(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())


@pytest.fixture(scope="module")
def rules() -> dict[str, str]:
    rows = [row.split("\t") for row in nfc_rules().splitlines()]
    return {text_of(left): text_of(right) for left, right in rows}


@pytest.mark.parametrize(
    ("spelling", "normal"),
    [
        ("e\u0301", "\u00e9"),  # é
        ("\u212b", "\u00c5"),  # the ångström sign is a letter
        ("\u212b\u0301", "\u01fa"),  # Ǻ from a singleton and a mark
        ("o\u0302\u0323", "\u1ed9"),  # ộ in all its forms
        ("o\u0323\u0302", "\u1ed9"),
        ("\u00f4\u0323", "\u1ed9"),
        ("\u1ecd\u0302", "\u1ed9"),
        ("\u1112\u1161", "\ud558"),  # 하
        ("\u1112\u1161\u11ab", "\ud55c"),  # 한
        ("\ud558\u11ab", "\ud55c"),
        ("\u0958", "\u0915\u093c"),  # क़ is excluded from composition: it comes apart
        ("\u2126", "\u03a9"),
        ("\uf900", "\u8c48"),
    ],
)
def test_rules_by_hand(rules: dict[str, str], spelling: str, normal: str) -> None:
    assert rules[spelling] == normal


def test_rules_leave_alone_what_nfkc_would_alter(rules: dict[str, str]) -> None:
    assert not set("ʰːʲˠ²½™ﬁＡｱ①…가한é") & set(rules)


def test_no_rule_can_match_inside_normal_text(rules: dict[str, str]) -> None:
    assert len(rules) > 20_000
    assert not [left for left in rules if unicodedata.is_normalized("NFC", left)]
    assert not [left for left, right in rules.items() if nfc(left) != right]


def test_every_composed_character_has_its_decomposed_rule(rules: dict[str, str]) -> None:
    apart = {unicodedata.normalize("NFD", chr(code)) for code in range(0x110000)}
    missing = [
        text for text in apart if not unicodedata.is_normalized("NFC", text) and text not in rules
    ]
    assert missing == []


@given(st.text())
@settings(deadline=None, max_examples=200)
def test_nfc_is_pythons(text: str) -> None:
    assert nfc(text) == unicodedata.normalize("NFC", text)


def test_lone_surrogates_are_replaced() -> None:
    assert nfc("a\ud800b\udfffé") == "a\ufffdb\ufffdé"
    assert not re.search("[\ud800-\udfff]", nfc("\udc80"))


@given(st.text(st.characters()) | st.text(st.characters(categories=["Mn", "Lo", "Cs", "Zs"])))
@settings(deadline=None)
def test_is_nfc(text: str) -> None:
    assert is_nfc(text) == (nfc(text) == text)
    assert is_nfc(nfc(text))
