"""Word vectors from the files of others."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import pytest

from heedful.errors import InputError
from heedful.text.vectors import read_vectors

VOCABULARY = ("<pad>", "<unk>", "<s>", "</s>", "dog", "Cat", "runs", "zebra")
DOG, CAT, RUNS = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]


def rows(path: Path) -> dict[int, list[float]]:
    vectors = read_vectors(path, VOCABULARY)
    return dict(zip(vectors.ids.tolist(), vectors.rows.tolist(), strict=True))


def text(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def binary(words: dict[str, list[float]], n: int | None = None) -> bytes:
    head = f"{n or len(words)} 3\n".encode()
    body = b"".join(w.encode() + b" " + struct.pack("<3f", *v) + b"\n" for w, v in words.items())
    return head + body


def test_glove(tmp_path: Path) -> None:
    path = text(tmp_path / "glove.txt", "the 0 0 0", "dog 1 2 3", "cat 4 5 6", "dog 9 9 9")
    assert rows(path) == {4: DOG, 5: CAT}  # the first of its kind; Cat by its small letters
    assert "2 of 4 words (50.0 %)" in read_vectors(path, VOCABULARY).describe()


def test_fasttext_and_word2vec_text(tmp_path: Path) -> None:
    path = text(tmp_path / "wiki.vec", "3 3", "dog 1 2 3 ", "runs 7 8 9", ". . . 1 1 1")
    assert rows(path) == {4: DOG, 6: RUNS}


def test_a_word_itself_comes_before_its_small_letters(tmp_path: Path) -> None:
    assert rows(text(tmp_path / "x.txt", "cat 0 0 1", "Cat 4 5 6")) == {5: CAT}


def test_word2vec_binary(tmp_path: Path) -> None:
    path = tmp_path / "News.BIN"
    path.write_bytes(binary({"dog": DOG, "the": [0, 0, 0], "runs": RUNS}))
    assert rows(path) == {4: DOG, 6: RUNS}


def test_compressed(tmp_path: Path) -> None:
    packed = tmp_path / "news.bin.gz"
    packed.write_bytes(gzip.compress(binary({"dog": DOG})))
    assert rows(packed) == {4: DOG}
    packed = tmp_path / "wiki.vec.gz"
    packed.write_bytes(gzip.compress(b"1 3\ndog 1 2 3\n"))
    assert rows(packed) == {4: DOG}


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["dog 1 2 3", "cat 4 5"], "line 2 has 2 numbers behind its word, 3 are wanted"),
        (["2 3", "dog 1 2 3", "cat 4 x 6"], "line 3, 'cat'"),
        (["dog 1 nan 3"], "line 1, 'dog': a number is infinite"),
        (["dog"], "line 1 has 0 numbers"),
        (["the 1 2 3", "dog 1 2 3 4"], "line 2 has 4 numbers behind its word, 3 are wanted"),
        (["2 2", "dog 1 2 3"], "line 2 has 3 numbers behind its word, 2 are wanted"),
        (["3 3", "dog 1 2 3", "cat 4 5 6"], "cut short after 2 vectors, its first line promises 3"),
        (["the 1 2 3"], "none of the 4 words"),
        (["dog 1 2 3", "the 1 x 3"], "line 2, 'the'"),
        (["dog 1 2 3", "the 1 nan 3"], "line 2, 'the'"),
        ([], "has no vectors in it"),
    ],
)
def test_a_broken_text_file_is_told_with_its_line(
    lines: list[str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=told):
        read_vectors(text(tmp_path / "x.txt", *lines), VOCABULARY)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (binary({"dog": DOG}, n=2), "cut short at vector 2 of 2"),
        (binary({"dog": DOG})[:-6], "cut short at vector 1 of 1"),
        (b"hello there\n", "how many vectors"),
        (b"", "how many vectors"),
        (b"1 99999999999999999999\ndog x", "how many vectors"),
        (binary({"dog": [1.0, float("inf"), 2.0]}), "vector 1, 'dog'"),
    ],
)
def test_a_broken_binary_file_is_told(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_vectors(path, VOCABULARY)
