from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from heedful.errors import InputError
from heedful.text.corpus import ParallelCorpus


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_two_files_again_and_again(tmp_path: Path) -> None:
    corpus = ParallelCorpus(write(tmp_path / "s", "a\nb\n"), write(tmp_path / "t", "A\nB"))
    assert list(corpus) == [("a", "A"), ("b", "B")]
    assert list(corpus) == [("a", "A"), ("b", "B")]
    corpus.check_readable()


def test_pairs(tmp_path: Path) -> None:
    corpus = ParallelCorpus(pairs=write(tmp_path / "p.tsv", "a b\tA\r\n\tB\n"))
    assert list(corpus) == [("a b", "A"), ("", "B")]


@pytest.mark.parametrize(("line", "columns"), [("a", "1 column;"), ("a\tb\tc", "3 columns;")])
def test_pairs_with_other_columns(tmp_path: Path, line: str, columns: str) -> None:
    corpus = ParallelCorpus(pairs=write(tmp_path / "p.tsv", f"a\tA\n{line}\n"))
    with pytest.raises(InputError, match=rf"p\.tsv: line 2 has {columns} exactly 2 are wanted"):
        list(corpus)


@pytest.mark.parametrize(("n_source", "n_target"), [(1, 1234), (1234, 1)])
def test_unequal_length_says_both_counts(tmp_path: Path, n_source: int, n_target: int) -> None:
    corpus = ParallelCorpus(
        write(tmp_path / "s", "a\n" * n_source), write(tmp_path / "t", "A\n" * n_target)
    )
    pairs = iter(corpus)
    assert next(pairs) == ("a", "A")
    with pytest.raises(InputError, match=f"{n_source:,} lines? and {n_target:,} lines?"):
        next(pairs)


def test_empty_missing_and_blank(tmp_path: Path) -> None:
    full, empty = write(tmp_path / "full", "a\n"), write(tmp_path / "empty", "")
    for corpus in (ParallelCorpus(full, empty), ParallelCorpus(pairs=empty)):
        with pytest.raises(InputError, match="empty: the file is empty"):
            list(corpus)
        with pytest.raises(InputError, match="empty: the file is empty"):
            corpus.check_readable()
    with pytest.raises(InputError, match="none: there is no such file"):
        ParallelCorpus(full, tmp_path / "none").check_readable()
    with pytest.raises(InputError, match="none: there is no such file"):
        ParallelCorpus(full, tmp_path / "none").fingerprint()
    blank, other = (write(tmp_path / name, " \n\t\n\n") for name in ("blank", "other"))
    with pytest.raises(InputError, match=r"blank and .*other: no pair has text on both sides"):
        list(ParallelCorpus(blank, other))


def test_what_makes_a_corpus() -> None:
    with pytest.raises(InputError, match="got source and pairs"):
        ParallelCorpus(source="a", pairs="b")
    with pytest.raises(InputError, match="got none of them"):
        ParallelCorpus()
    with pytest.raises(InputError, match="both '-'"):
        ParallelCorpus("-", "-")


def test_both_sides_cannot_be_the_same_file(tmp_path: Path) -> None:
    path = write(tmp_path / "text", "a\n")
    (tmp_path / "link").symlink_to(path)
    for other in (path, tmp_path / "link", tmp_path / ".." / tmp_path.name / "text"):
        with pytest.raises(InputError, match=r"both sides .* are the same file, .*text: "):
            ParallelCorpus(path, other)
    copy = write(tmp_path / "copy", "a\n")
    assert list(ParallelCorpus(path, copy)) == [("a", "a")]


def test_spool_copies_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("é\nb\n".encode())))
    corpus = ParallelCorpus("-", write(tmp_path / "t", "E\nB\n"))
    assert corpus.describe().startswith("standard input and ")
    corpus.check_readable()
    with pytest.raises(InputError, match="standard input: has no fingerprint"):
        corpus.fingerprint()
    spooled = corpus.spool(tmp_path / "new" / "folder")
    assert list(spooled) == list(spooled) == [("é", "E"), ("b", "B")]
    assert spooled.spool(tmp_path) is spooled
    assert len(spooled.fingerprint()) == 64


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="machine: no named pipes here")
def test_spool_copies_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("a\tA\n",))
    writer.start()
    corpus = ParallelCorpus(pairs=pipe)
    corpus.check_readable()
    spooled = corpus.spool(tmp_path)
    writer.join()
    assert list(spooled) == list(spooled) == [("a", "A")]


def test_fingerprint_follows_the_files(tmp_path: Path) -> None:
    source, target = write(tmp_path / "s", "a\n"), write(tmp_path / "t", "A\n")
    corpus = ParallelCorpus(source, target)
    first = corpus.fingerprint()
    assert corpus.fingerprint() == first
    assert ParallelCorpus(target, source).fingerprint() != first
    os.utime(target, ns=(1, 1))
    second = corpus.fingerprint()
    assert second != first
    write(source, "longer\n")
    assert corpus.fingerprint() not in (first, second)
