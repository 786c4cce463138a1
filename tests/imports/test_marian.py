"""MarianMT models, made by Hugging Face's own library, become heedful's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

import heedful
from heedful.exports.export import export_model
from heedful.imports.marian import import_marian
from heedful.translator import Translator

from ..serve.served import running
from ..trained import Command, Text, sentences

LINES = [source for source, _ in sentences()[:40]]


@pytest.fixture(scope="module")
def run(marian: tuple[Path, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("imported") / "run"
    import_marian(marian[0], out)
    return out


@pytest.fixture(scope="module")
def imported(run: Path) -> Translator:
    return heedful.load(run, engine="torch", threads=1)


def numbers(translator: Translator, folder: Path) -> dict[int, int]:
    """heedful's ids -> Marian's, of the words that Marian has."""
    ids = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    found = {
        n: ids[piece]
        for n, piece in enumerate(translator.target_tokenizer.vocabulary)
        if piece in ids
    }
    return found | {0: ids["<pad>"], 1: ids["<unk>"], 2: ids["<pad>"], 3: ids["</s>"]}


def test_the_same_logits(marian: tuple[Path, Any], imported: Translator) -> None:
    folder, model = marian
    ids = numbers(imported, folder)
    source = imported.source_tokenizer.encode(LINES[0])
    target = imported.target_tokenizer.encode(sentences()[0][1])
    theirs = model(
        input_ids=torch.tensor([[ids[i] for i in [*source, 3]]]),
        decoder_input_ids=torch.tensor([[ids[i] for i in [2, *target]]]),
    ).logits[0]
    own = imported.model
    memory = own.encode(
        torch.tensor([[*source, 3]]), torch.ones(1, len(source) + 1, dtype=torch.bool)
    )
    ours = own.output(own.decode(torch.tensor([[2, *target]]), memory))[0]
    columns = [n for n in ids if n not in (0, 2)]
    torch.testing.assert_close(
        ours[:, columns], theirs[:, [ids[n] for n in columns]], atol=1e-4, rtol=0
    )


def test_it_is_served_like_any_other(run: Path, imported: Translator) -> None:
    """In plain translations, with alignments, and by the worker."""
    asked = {"source": "en", "target": "eo"}
    with running(run, "--name", "en-eo", "--rate", 0) as server:
        for line in LINES[:3]:
            done = imported.translate(line)
            assert (
                server.ask("/translate", {"q": line, **asked}).data["translatedText"] == done.text
            )
            linked = server.ask("/v1/translate", {"text": line, "align": True, **asked}).data
            assert linked["text"] == done.text
            assert server.ask("/v1/record", {"text": line, **asked}).data["target"] == done.text


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
def test_text_is_cut_as_marian_cuts_it(marian: tuple[Path, Any], imported: Translator) -> None:
    from transformers import MarianTokenizer

    folder, _ = marian
    theirs = MarianTokenizer(
        source_spm=str(folder / "source.spm"), target_spm=str(folder / "target.spm"),
        vocab=str(folder / "vocab.json"),
    )  # fmt: skip
    ids = numbers(imported, folder)
    for line in [*LINES, "Zebras, unknown: 日本!"]:
        mine = [ids.get(i, 1) for i in imported.source_tokenizer.encode(line)]
        assert mine == theirs(line)["input_ids"][:-1]


@pytest.mark.parametrize("beam", [1, 4])
def test_the_same_translations(marian: tuple[Path, Any], imported: Translator, beam: int) -> None:
    folder, model = marian
    ids = numbers(imported, folder)
    backwards = {theirs: ours for ours, theirs in ids.items() if ours > 2}
    for line in LINES[:12]:
        source = imported.source_tokenizer.encode(line)
        found = model.generate(
            torch.tensor([[ids[i] for i in [*source, 3]]]), num_beams=beam, max_new_tokens=20,
            length_penalty=1.0, early_stopping=beam > 1, bad_words_ids=[[ids[0]], [ids[1]]],
        )[0].tolist()  # fmt: skip
        words = [backwards[i] for i in found[1:] if i in backwards and i != ids[3]]
        own = imported.translate(line, beam=beam, patience=1, max_length=20, split_sentences=False)
        assert own.text == imported.target_tokenizer.decode(words)


def test_it_is_like_any_other(
    imported: Translator, marian: tuple[Path, Any], tmp_path: Path
) -> None:
    """Translated with by CTranslate2, looked into, exported again and imported again."""
    out = tmp_path / "run"
    import_marian(marian[0], out)
    fast = heedful.load(out, engine="ctranslate2", threads=1)
    assert [t.text for t in fast.translate(LINES, max_length=20)] == [
        t.text for t in imported.translate(LINES, max_length=20)
    ]
    assert imported.attend(LINES[0], sentences()[0][1]).has_attention
    back = tmp_path / "back"
    export_model(out, back, to="huggingface", quantize=None)
    again = tmp_path / "again"
    import_marian(back, again)
    twice = heedful.load(again, engine="torch", threads=1)
    assert (twice.card.text.source_lang, twice.card.text.target_lang) == ("en", "eo")
    assert [t.text for t in twice.translate(LINES, max_length=20)] == [
        t.text for t in imported.translate(LINES, max_length=20)
    ]


def test_it_is_fine_tuned(marian: tuple[Path, Any], prose_text: Text, tmp_path: Path) -> None:
    run = tmp_path / "run"
    import_marian(marian[0], run)
    losses = [
        heedful.train(
            out=tmp_path / f"{steps}", **prose_text.options, start=run, steps=steps, threads=1,
            quiet=True, set=("training.batch_tokens=1024", f"training.peak_rate={rate}"),
        ).loss
        for steps, rate in ((1, 1e-9), (150, 0.01))
    ]  # fmt: skip
    before, hardly, after = (
        heedful.load(tmp_path / name, engine="torch", threads=1) for name in ("run", "1", "150")
    )
    assert losses[1] < 0.5 * losses[0]
    assert [t.text for t in hardly.translate(LINES[:9], max_length=9)] == [
        t.text for t in before.translate(LINES[:9], max_length=9)
    ]
    assert after.target_tokenizer.digest == before.target_tokenizer.digest
    assert after.card.model.model_copy(update={"dropout": 0}) == before.card.model.model_copy(
        update={"dropout": 0}
    )


def test_a_model_of_our_own_comes_back(prose_run: Path, tmp_path: Path, command: Command) -> None:
    """Its pieces are bytes, too: what it has no others for it still spells."""
    out = tmp_path / "exported"
    assert command("export", prose_run, "--to", "huggingface", "--out", out).code == 0
    assert command("import", out, "--out", tmp_path / "back").code == 0
    before, after = (heedful.load(p, threads=1) for p in (prose_run, tmp_path / "back"))
    lines = [*LINES[:5], "日 cat."]
    for line in lines:
        mine, theirs = before.source_tokenizer, after.source_tokenizer
        assert theirs.pieces(theirs.encode(line)) == mine.pieces(mine.encode(line))
    found = [[t.text for t in model.translate(lines)] for model in (before, after)]
    assert found[0] == found[1]
