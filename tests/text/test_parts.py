from __future__ import annotations

import pytest

from heedful.text.parts import Part, gap, split_lines
from heedful.text.tokenizer import Tokenizer


@pytest.fixture(scope="module")
def letters() -> Tokenizer:
    return Tokenizer.learn(["abcdefgh ijkl. mnop! qrstuvwxyz"], kind="chars", size=None)


def test_sentences_keep_what_stood_between_them(letters: Tokenizer) -> None:
    lines = ["  Ab cd.  Ef gh! ", "", "Ij.", "  kl"]
    parts = split_lines(lines, letters, longest=50, at_sentences=True, to_fit=True, on_cut=refuse)
    assert [(p.line, p.before, letters.decode(p.ids)) for p in parts] == [
        (0, "", "Ab cd."),
        (0, "  ", "Ef gh!"),
        (2, "", "Ij."),
        (3, "", "kl"),
    ]


def test_all_sentences_are_tokenised_at_once(
    letters: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    encode_batch = Tokenizer.encode_batch

    def watched(self: Tokenizer, texts: list[str]) -> list[list[int]]:
        asked.append(texts)
        return encode_batch(self, texts)

    monkeypatch.setattr(Tokenizer, "encode_batch", watched)
    monkeypatch.delattr(Tokenizer, "encode")
    lines = ["Ab cd.  Ef gh! ", "Ij."]
    parts = split_lines(lines, letters, longest=50, at_sentences=True, to_fit=True, on_cut=refuse)
    assert len(parts) == 3
    assert asked == [["Ab cd.", "Ef gh!", "Ij."]]


def test_what_is_too_long_is_split_to_fit(letters: Tokenizer) -> None:
    told: list[tuple[int, str]] = []
    parts = split_lines(
        ["ab", "cd", "abc def, ghi jkl"], letters, longest=9, at_sentences=True, to_fit=True,
        on_cut=lambda line, reason: told.append((line, reason)),
    )  # fmt: skip
    assert told == [(2, "a sentence is longer than 9 tokens: translated in pieces")]
    assert all(len(p.ids) <= 9 for p in parts)
    parts = [p for p in parts if p.line == 2]
    joined = "".join(p.before + letters.decode(p.ids) for p in parts)
    assert joined == "abc def, ghi jkl"


def test_what_is_far_too_long_is_not_tokenised_to_see_it(
    letters: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million letters would keep all other threads waiting. The parts are the same."""
    text = ("ab, cd " * 300 + "e" * 3000 + " ") * 3 + "f" + " " * 9000 + "g"

    def parts() -> list[Part]:
        return split_lines(
            [text], letters, longest=10, at_sentences=True, to_fit=True,
            on_cut=lambda line, reason: None,
        )  # fmt: skip

    lengths: list[int] = []
    encode, encode_batch = Tokenizer.encode, Tokenizer.encode_batch

    def noted(self: Tokenizer, text: str) -> list[int]:
        lengths.append(len("".join(text.split())))
        return encode(self, text)

    def noted_batch(self: Tokenizer, texts: list[str]) -> list[list[int]]:
        lengths.extend(map(len, texts))
        return encode_batch(self, texts)

    monkeypatch.setattr(Tokenizer, "encode", noted)
    monkeypatch.setattr(Tokenizer, "encode_batch", noted_batch)
    found = parts()
    assert 10 < max(lengths) <= 10 * letters.longest_piece * 4
    monkeypatch.setattr("heedful.text.parts.COMPOSED", len(text))  # nothing is as long
    assert parts() == found
    assert max(lengths) > 9000


def test_what_may_not_be_split_is_cut_and_told(letters: Tokenizer) -> None:
    told: list[tuple[int, str]] = []
    parts = split_lines(
        ["abcdefgh", "abc"], letters, longest=5, at_sentences=False, to_fit=False,
        on_cut=lambda line, reason: told.append((line, reason)),
    )  # fmt: skip
    assert [letters.decode(p.ids) for p in parts] == ["abcde", "abc"]
    assert told == [(0, "cut: 8 tokens, the model holds 5")]


@pytest.mark.parametrize("line", ["", "   ", "\t"])
def test_a_blank_line_has_no_parts(letters: Tokenizer, line: str) -> None:
    assert not split_lines(
        [line], letters, longest=5, at_sentences=True, to_fit=True, on_cut=refuse
    )


@pytest.mark.parametrize(
    ("text", "before", "translated", "between"),
    [
        ("A.", " ", "B.", " "),
        ("A.", "\t", "B.", "\t"),
        ("A.", "", "B.", " "),  # from a script without spaces
        ("他来了。", "", "她走了。", ""),
        ("", " ", "B.", ""),
        ("A.", " ", "", " "),
    ],
)
def test_gaps(text: str, before: str, translated: str, between: str) -> None:
    assert gap(text, before, translated) == between


def refuse(line: int, reason: str) -> None:
    raise AssertionError(f"line {line} should not be cut: {reason}")
