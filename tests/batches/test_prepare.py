"""From parallel text to a folder of ids: once, and again only if something has changed."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import random
import shutil
import sys
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import zstandard

import heedful
from heedful.batches.prepare import prepare
from heedful.batches.prepared import Prepared
from heedful.errors import InputError, ModelFolderError
from heedful.text.bulk.crew import Crew
from heedful.text.config import TextConfig, suggested_vocabulary_size
from heedful.text.corpus import ParallelCorpus

from ..trained import TINY, Text, sentences, write_pairs

PAIRS = sentences()[:120]


def ready(
    folder: Path, text: Text, valid: Text | None = None, *, seed: int = 1, **settings: object
) -> Prepared:
    return prepare(
        folder,
        ParallelCorpus(text.source, text.target),
        ParallelCorpus(valid.source, valid.target) if valid else None,
        TextConfig.model_validate(settings),
        seed=seed,
        watch=lambda stage, done, total: None,
    )


def made_at(folder: Path) -> int:
    return (folder / "train.source.ids").stat().st_mtime_ns


def decoded(data: Prepared) -> list[tuple[str, str]]:
    sources, targets = data.train.pairs(range(data.facts.pairs))
    return [
        (data.source_tokenizer.decode(s.tolist()), data.target_tokenizer.decode(t.tolist()))
        for s, t in zip(sources, targets, strict=True)
    ]


def test_validation_sentences_may_be_the_longest(tmp_path: Path) -> None:
    """A model that learns a vector for each place has one for each of theirs too."""
    source, target = (" ".join([side.rstrip(".")] * 3) + "." for side in PAIRS[0])
    text, valid = (
        write_pairs(tmp_path, PAIRS),
        write_pairs(tmp_path / "valid", [(source, target), PAIRS[1]]),
    )
    data = ready(tmp_path / "data", text, valid)
    assert data.facts.max_length == max(len(ids) for side in data.valid.pairs([0]) for ids in side)
    heedful.train(
        out=tmp_path / "run", **text.options, valid_source=str(valid.source),
        valid_target=str(valid.target), steps=1, threads=1, quiet=True,
        set=(*TINY, "model.positions=learned"),
    )  # fmt: skip


def test_lines_set_aside_are_not_trained_on(tmp_path: Path) -> None:
    data = ready(tmp_path / "data", write_pairs(tmp_path, PAIRS))
    assert (data.facts.pairs, data.facts.valid, data.facts.valid_given) == (110, 10, False)
    assert (data.facts.blank, data.facts.too_long, data.facts.overlap) == (0, 0, 0)
    trained = decoded(data)
    assert not set(trained) & set(data.valid_text)
    assert sorted([*trained, *data.valid_text]) == sorted(PAIRS)
    assert data.facts.target_tokens == sum(len(data.target_tokenizer.encode(t)) for _, t in trained)


def test_no_source_that_is_set_aside_is_trained_on(tmp_path: Path) -> None:
    """Most lines repeat; the rare ones come once more, in NFD and with another translation."""
    often = [(f"Café {n}", f"{n} times") for n in range(30)]
    rare = [(f"{source} é", target) for source, target in PAIRS]
    again = [(unicodedata.normalize("NFD", f" {source}"), "again") for source, _ in rare]
    pairs = often * 30 + rare + again
    random.Random(5).shuffle(pairs)
    data = ready(tmp_path / "data", write_pairs(tmp_path, pairs))
    held_out = {source for source, _ in data.valid_text}
    assert len(held_out) == len(data.valid_text) == len(pairs) // 50
    assert held_out < {source for source, _ in rare}
    assert sorted(source for source, _ in decoded(data)) == sorted(
        source
        for source in (unicodedata.normalize("NFC", source).strip() for source, _ in pairs)
        if source not in held_out
    )
    assert (data.facts.valid, data.facts.same_source) == (len(held_out), len(held_out))
    assert data.facts.overlap == 0


@pytest.mark.parametrize("sample", [200_000, 100])
def test_what_is_set_aside_is_not_in_the_vocabulary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample: int
) -> None:
    """Each line has a word of its own."""
    monkeypatch.setattr("heedful.batches.survey.SAMPLE", sample)
    pairs = [(f"{s} s{n}", f"{t} t{n}") for n, (s, t) in enumerate(sentences()[:300])]
    text = write_pairs(tmp_path, pairs * 2)
    data = ready(tmp_path / "data", text, source_tokens="words", target_tokens="words")
    assert len(data.valid_text) == (12 if sample > 600 else 10)
    vocabularies = data.source_tokenizer.vocabulary, data.target_tokenizer.vocabulary
    for pair in data.valid_text:
        for line, vocabulary in zip(pair, vocabularies, strict=True):
            assert f"▁{line.split()[-1]}" not in vocabulary
    known = [f"▁{s.split()[-1]}" in vocabularies[0] for s, _ in decoded(data)]
    assert any(known)
    assert all(known) or sample < 600


def test_the_same_seed_sets_the_same_aside(tmp_path: Path) -> None:
    text = write_pairs(tmp_path, [*PAIRS, *PAIRS[:60]])
    first, again, other = (
        ready(tmp_path / f"{n}", text, seed=seed).valid_text for n, seed in enumerate((7, 7, 8))
    )
    assert first == again != other


def test_the_same_again_is_opened_not_made(tmp_path: Path) -> None:
    text, folder = write_pairs(tmp_path, PAIRS), tmp_path / "data"
    first = ready(folder, text)
    made = made_at(folder)
    second = ready(folder, text)
    assert made_at(folder) == made
    assert second.facts == first.facts
    assert second.valid_text == first.valid_text


@pytest.mark.parametrize("what", ["file", "settings", "seed", "valid"])
def test_what_has_changed_is_made_anew(tmp_path: Path, what: str) -> None:
    text, folder = write_pairs(tmp_path, PAIRS), tmp_path / "data"
    first = ready(folder, text)
    made = made_at(folder)
    match what:
        case "file":
            write_pairs(tmp_path, PAIRS[:-1])
            assert ready(folder, text).facts.pairs == 109
        case "settings":
            data = ready(folder, text, source_tokens="chars", target_tokens="chars")
            assert data.facts.source_vocabulary != first.facts.source_vocabulary
        case "seed":
            assert ready(folder, text, seed=2).valid_text != first.valid_text
        case "valid":
            valid = write_pairs(tmp_path / "valid", sentences()[200:207])
            assert ready(folder, text, valid).facts.pairs == 120
    assert made_at(folder) != made


def test_blank_and_long_pairs_are_left_out_and_counted(tmp_path: Path) -> None:
    long = "The cat sees the dog " * 40
    odd = [("", "x"), ("x", " \t"), ("\u3000", ""), (long, "short"), ("short", long)]
    text = write_pairs(tmp_path, [*odd, *PAIRS])
    data = ready(tmp_path / "data", text, max_length=60, seed=3)
    facts = data.facts
    assert facts.blank == 3
    aside = sum(long.strip() in pair for pair in data.valid_text)
    assert facts.too_long == 2 - aside
    assert facts.pairs + facts.too_long + facts.valid == len(PAIRS) + 2
    assert facts.max_length == 60
    assert max(data.train.source.lengths.max(), data.train.target.lengths.max()) <= 60


def test_validation_sources_that_are_trained_on_are_counted(tmp_path: Path) -> None:
    text = write_pairs(tmp_path, PAIRS)
    seen = [(f"  {s}", "another translation") for s, _ in PAIRS[:4]]
    valid = write_pairs(tmp_path / "valid", seen + sentences()[300:303])
    facts = ready(tmp_path / "data", text, valid).facts
    assert (facts.valid, facts.valid_given, facts.overlap) == (7, True, 4)


def test_odd_white_space_inside_a_line(tmp_path: Path) -> None:
    """A lone \\r, a tab, \\u2028, \\x85: each stays within its line, on its way there and back."""
    odd = [
        f"{s[:-1]}{end}{i}" for i, (s, _) in enumerate(PAIRS) for end in ["\r\t\u2028\x85"[i % 4]]
    ]
    text = write_pairs(tmp_path, [(line, line) for line in odd])
    data = ready(tmp_path / "data", text)
    assert data.facts.pairs + data.facts.valid == 120
    assert {s.replace("\t", " ") for s, _ in data.valid_text} <= {s.replace("\t", " ") for s in odd}
    assert len(data.valid_text) == 10


def test_a_vocabulary_is_chosen_for_all_pairs_not_for_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(3)
    words = ["".join(draw.choices("abcdefghijklm", k=5)) for _ in range(900)]
    lines = [" ".join(draw.choices(words, k=10)) for _ in range(800)]
    text = write_pairs(tmp_path, list(zip(lines[:400], lines[400:], strict=True)))
    monkeypatch.setattr("heedful.batches.survey.SAMPLE", 50)
    facts = ready(tmp_path / "data", text, algorithm="bpe").facts
    assert facts.source_vocabulary == suggested_vocabulary_size(20 * (400 - 10))


def test_every_compression_gives_the_same(tmp_path: Path) -> None:
    plain = write_pairs(tmp_path, PAIRS)
    expected = decoded(ready(tmp_path / "plain", plain))
    content = plain.source.read_bytes()
    packed = {
        "gz": gzip.compress(content),
        "xz": lzma.compress(content),
        "zst": zstandard.compress(content),
    }
    for suffix, data in packed.items():
        file = tmp_path / f"source.{suffix}"
        file.write_bytes(data)
        assert decoded(ready(tmp_path / suffix, Text(file, plain.target))) == expected


def test_however_many_processes_the_data_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In many small blocks; with blank lines and lines set aside in any of them."""
    pairs = [("", "blank") if n % 11 == 0 else pair for n, pair in enumerate(sentences()[:600])]
    text, started = write_pairs(tmp_path, pairs), list[int]()

    def crew(n_processes: int) -> Crew:
        started.append(n_processes)
        return Crew(n_processes)

    monkeypatch.setattr("heedful.text.blocks.SIZE", 700)
    monkeypatch.setattr("heedful.batches.tokenise.Crew", crew)
    for cores in (1, 3):
        monkeypatch.setattr("heedful.batches.tokenise.granted_cores", lambda cores=cores: cores)
        ready(tmp_path / str(cores), text)
    monkeypatch.setattr("heedful.text.blocks.SIZE", 1 << 20)
    ready(tmp_path / "whole", text)
    assert started == [1, 3, 0]
    for file in (tmp_path / "1").iterdir():
        for other in ("3", "whole"):
            assert file.read_bytes() == (tmp_path / other / file.name).read_bytes(), file.name


def test_text_that_changes_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = write_pairs(tmp_path, PAIRS)

    def change(stage: str, done: int, total: int | None) -> None:
        if stage == "tokenising" and done == 0:
            write_pairs(tmp_path, [*PAIRS[:-1], ("", "")])

    corpus = ParallelCorpus(text.source, text.target)
    with pytest.raises(InputError, match="changed while being read"):
        prepare(tmp_path / "data", corpus, None, TextConfig(), seed=1, watch=change)
    assert not (tmp_path / "data").exists()


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = write_pairs(tmp_path, PAIRS)
    expected = decoded(ready(tmp_path / "plain", text))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.source.read_bytes())))
    assert decoded(ready(tmp_path / "data", Text(Path("-"), text.target))) == expected


def test_a_refusal_leaves_nothing_of_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, folder = write_pairs(tmp_path, PAIRS), tmp_path / "data"
    folder.mkdir()
    (folder / "mine").touch()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.source.read_bytes())))
    with pytest.raises(InputError, match="holds something else"):
        ready(folder, Text(Path("-"), text.target))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data", "text.source", "text.target"]


def test_what_went_wrong_leaves_what_was_there(tmp_path: Path) -> None:
    text, folder = write_pairs(tmp_path, PAIRS), tmp_path / "data"
    ready(folder, text)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    text.target.write_text("one\n")
    with pytest.raises(InputError, match="120 lines and 1 line"):
        ready(folder, text)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert not list(tmp_path.glob(".*"))


def test_a_leftover_of_a_killed_process_is_no_hindrance(tmp_path: Path) -> None:
    partial = tmp_path / ".data.partial"
    partial.mkdir()
    (partial / "facts.json").write_text("half")
    assert ready(tmp_path / "data", write_pairs(tmp_path, PAIRS)).facts.pairs == 110
    assert not partial.exists()


def test_two_runs_share_prepared_data(tmp_path: Path) -> None:
    text, shared = write_pairs(tmp_path, PAIRS), tmp_path / "shared"
    for i, name in enumerate(("one", "two")):
        heedful.train(
            out=tmp_path / name, **text.options, data=shared, steps=1, quiet=True,
            set=(*TINY, f"model.dropout=0.{i}"),
        )  # fmt: skip
        assert not (tmp_path / name / "data").exists()
        if i == 0:
            made = made_at(shared)
    assert made_at(shared) == made
    os.utime(text.source, ns=(1, 1))  # as if it had been edited
    heedful.train(out=tmp_path / "one", data=shared, resume=True, steps=2, quiet=True)
    assert made_at(shared) == made


def test_a_run_that_shares_data_goes_on_without_being_told_where(tmp_path: Path) -> None:
    """`heedful train --resume --out RUN`, as it says itself when it is stopped."""
    text, shared = write_pairs(tmp_path, PAIRS), tmp_path / "shared"
    run = tmp_path / "run"
    heedful.train(out=run, **text.options, data=shared, steps=1, quiet=True, set=TINY)
    assert heedful.train(out=run, resume=True, steps=2, quiet=True).steps == 2


def test_a_run_does_not_go_on_with_other_data(tmp_path: Path) -> None:
    text, shared = write_pairs(tmp_path, PAIRS), tmp_path / "shared"
    run = tmp_path / "run"
    heedful.train(out=run, **text.options, data=shared, steps=1, quiet=True, set=TINY)
    digest = heedful.load(run).card.tokenizers
    other = write_pairs(tmp_path / "other", [(t, s) for s, t in sentences()[100:220]])
    second: dict[str, Any] = {"out": tmp_path / "run2", "data": shared, "set": TINY}
    with pytest.raises(InputError, match="shared holds something else"):
        heedful.train(**other.options, **second, steps=1, quiet=True)
    shutil.rmtree(shared)
    heedful.train(**other.options, **second, steps=1, quiet=True)
    with pytest.raises(ModelFolderError, match="prepared from other text"):
        heedful.train(out=run, resume=True, steps=2, quiet=True)
    assert heedful.load(run).card.tokenizers == digest


def test_a_folder_called_data_beside_the_run_is_not_ours_to_replace(tmp_path: Path) -> None:
    """`--out .` where the text lies in ./data."""
    (tmp_path / "data").mkdir()
    text = write_pairs(tmp_path / "data", PAIRS)
    before = text.source.read_bytes()
    with pytest.raises(InputError, match="data holds something else"):
        heedful.train(out=tmp_path, **text.options, steps=1, quiet=True, set=TINY)
    assert text.source.read_bytes() == before


def test_a_run_does_not_go_on_with_other_text(tmp_path: Path) -> None:
    run = tmp_path / "run"
    text = write_pairs(tmp_path, PAIRS)
    heedful.train(out=run, **text.options, steps=1, quiet=True, set=TINY)
    other = write_pairs(tmp_path / "other", sentences()[100:220])
    with pytest.raises(InputError, match="begun with other text"):
        heedful.train(out=run, **other.options, resume=True, steps=2, quiet=True)
    assert heedful.train(out=run, **text.options, resume=True, steps=2, quiet=True).steps == 2
    shutil.rmtree(run / "data")
    with pytest.raises(ModelFolderError, match="another vocabulary"):
        heedful.train(out=run, **other.options, resume=True, steps=3, quiet=True)


def test_data_that_was_deleted_is_made_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    text = write_pairs(tmp_path, PAIRS)
    heedful.train(out=run, **text.options, steps=1, quiet=True, set=TINY)
    shutil.rmtree(run / "data")
    assert heedful.train(out=run, **text.options, resume=True, steps=2, quiet=True).steps == 2


def test_two_runs_on_the_same_text_prepare_it_once(tmp_path: Path) -> None:
    text, stages = write_pairs(tmp_path, PAIRS), list[str]()
    both_began = threading.Barrier(2)

    def work() -> int:
        both_began.wait()
        data = prepare(
            tmp_path / "data",
            ParallelCorpus(text.source, text.target),
            None,
            TextConfig(),
            seed=1,
            watch=lambda stage, done, total: stages.append(stage),
        )
        return data.facts.pairs

    with ThreadPoolExecutor(2) as pool:
        assert [run.result() for run in [pool.submit(work), pool.submit(work)]] == [110, 110]
    assert stages.count("learning the vocabulary") == 1
    assert not list(tmp_path.glob(".*"))
