"""A MarianMT model that writes several languages, and is told by a word which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import heedful
from heedful.exports.export import export_model
from heedful.imports.marian import import_marian
from heedful.text.bulk.encoder import BulkEncoder
from heedful.text.languages import as_word

from ..trained import Command, is_told_briefly, sentences

LINES = [source for source, _ in sentences()[:40]]


def any_language(several: tuple[Path, Any], folder: Path) -> Path:
    """Imported without a choice."""
    return import_marian(several[0], folder / "any")


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
def test_a_text_may_begin_with_the_word(
    several: tuple[Path, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from transformers import MarianTokenizer

    folder, _ = several
    theirs = MarianTokenizer(
        source_spm=str(folder / "source.spm"), target_spm=str(folder / "target.spm"),
        vocab=str(folder / "vocab.json"),
    )  # fmt: skip
    ours = heedful.load(any_language(several, tmp_path), engine="torch").source_tokenizer
    assert ">>deu<< or >>fra<<" in capsys.readouterr().out
    ids = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    for line in [f">>fra<< {LINES[0]}", f">>deu<< {LINES[1]}", ">>fra<<", LINES[2]]:
        mine = [ids[as_word(piece)] for piece in ours.pieces(ours.encode(line))]
        assert mine == theirs(line)["input_ids"][:-1]


def test_the_language_is_chosen(several: tuple[Path, Any], tmp_path: Path) -> None:
    """Every sentence begins with its word, which nobody sees."""
    out = tmp_path / "run"
    import_marian(several[0], out, target_token="fra")
    imported = heedful.load(any_language(several, tmp_path), engine="torch", threads=1)
    told, untold = (
        [imported.translate(f"{word}{line}", max_length=9).score for line in LINES[:9]]
        for word in (">>fra<< ", "")
    )
    assert told != pytest.approx(untold, rel=1e-3)
    for engine in ("torch", "ctranslate2"):
        french = heedful.load(out, engine=engine, threads=1)
        found = [french.translate(line, max_length=9) for line in LINES[:9]]
        assert [t.score for t in found] == pytest.approx(told, rel=1e-4)
    assert french.card.text.target_lang == "fra"
    tokenizer = french.source_tokenizer
    sources = french.planner.plan([f"{LINES[0]} {LINES[1]}"]).task.sources
    assert [tokenizer.pieces(source)[0] for source in sources] == [">>fra<<"] * 2
    assert tokenizer.encode("") == []
    assert tokenizer.encode_batch(["", "a"]) == [[], tokenizer.encode("a")]
    assert tokenizer.decode(tokenizer.encode(LINES[0])) == LINES[0]
    places = [link.source for link in french.translate(LINES[0], beam=1, align=True).links]
    assert {LINES[0][slice(*place)] for place in places} <= set(LINES[0].split())


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
def test_it_goes_back_with_its_languages(several: tuple[Path, Any], tmp_path: Path) -> None:
    """Hugging Face's tokenizer finds their words where it found them before."""
    from transformers import MarianTokenizer

    run, back, again = tmp_path / "run", tmp_path / "back", tmp_path / "again"
    import_marian(several[0], run, target_token=">>fra<<")
    export_model(run, back, to="huggingface", quantize=None)
    theirs = MarianTokenizer.from_pretrained(back)
    assert theirs.convert_ids_to_tokens(theirs(">>deu<< a")["input_ids"])[0] == ">>deu<<"
    import_marian(back, again, target_token=">>deu<<")
    words = [heedful.load(f, engine="torch").source_tokenizer for f in (run, again)]
    assert [w.pieces(w.first) for w in words] == [[">>fra<<"], [">>deu<<"]]
    assert words[1].encode(LINES[0])[1:] == words[0].encode(LINES[0])[1:]


def test_training_too_begins_with_the_word(several: tuple[Path, Any], tmp_path: Path) -> None:
    out = tmp_path / "run"
    import_marian(several[0], out, target_token=">>fra<<")
    tokenizer = heedful.load(out, engine="torch").source_tokenizer
    packed = BulkEncoder(tokenizer.to_bytes()).encode(LINES)
    assert packed.ids.tolist() == [i for line in LINES for i in tokenizer.encode(line)]


def test_a_language_that_it_does_not_know(
    several: tuple[Path, Any], tmp_path: Path, command: Command
) -> None:
    answer = command("import", several[0], "--out", tmp_path / "run", "--target-token", ">>deo<<")
    assert is_told_briefly(answer)
    assert "did you mean '>>deu<<'?" in answer.err


def test_a_model_of_one_language(
    marian: tuple[Path, Any], tmp_path: Path, command: Command
) -> None:
    answer = command("import", marian[0], "--out", tmp_path / "run", "--target-token", "deu")
    assert is_told_briefly(answer)
    assert "leave deu out" in answer.err
