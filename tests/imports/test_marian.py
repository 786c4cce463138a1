"""MarianMT models, made by Hugging Face's own library, become heedful's."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import torch

import heedful
from heedful.errors import InputError
from heedful.exports.export import export_model
from heedful.imports.marian import import_marian
from heedful.translator import Translator

from ..trained import Command, Text, is_told_briefly, sentences

LINES = [source for source, _ in sentences()[:40]]


def learn(folder: Path, name: str, lines: list[str], size: int) -> list[str]:
    """A tokenizer as OPUS-MT has them: no padding, <unk> first; its pieces."""
    text = folder / "lines.txt"
    text.write_text("\n".join(lines), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(folder / name), vocab_size=size, hard_vocab_limit=False,
        minloglevel=2,
    )  # fmt: skip
    (folder / f"{name}.model").rename(folder / f"{name}.spm")
    (folder / f"{name}.vocab").unlink()
    text.unlink()
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{name}.spm"))
    return [processor.id_to_piece(n) for n in range(processor.get_piece_size())][3:]


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A folder of random weights, and the model itself. Its numbering is OPUS-MT's: the end first,
    then the unknown, and the padding, which the decoder begins with, last."""
    from transformers import MarianConfig, MarianMTModel

    folder = tmp_path_factory.mktemp("marian")
    pairs = sentences()
    pieces = learn(folder, "source", [s for s, _ in pairs], 60)
    pieces += learn(folder, "target", [t for _, t in pairs], 70)
    words = ["</s>", "<unk>", *dict.fromkeys(pieces[:-2]), "<pad>"]  # two are no words of Marian's
    (folder / "vocab.json").write_text(json.dumps({w: n for n, w in enumerate(words)}))
    config = MarianConfig(
        vocab_size=len(words), d_model=20, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=36,
        decoder_ffn_dim=36, activation_function="swish", static_position_embeddings=True,
        scale_embedding=True, max_position_embeddings=64, pad_token_id=len(words) - 1,
        eos_token_id=0, decoder_start_token_id=len(words) - 1, forced_eos_token_id=None,
        num_beams=4,
    )  # fmt: skip
    torch.manual_seed(7)
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        model.final_logits_bias.normal_()
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.normal_(std=0.3)
    model.save_pretrained(folder)
    return folder, model


@pytest.fixture(scope="module")
def imported(marian: tuple[Path, Any], tmp_path_factory: pytest.TempPathFactory) -> Translator:
    out = tmp_path_factory.mktemp("imported") / "run"
    import_marian(marian[0], out)
    return heedful.load(out, engine="torch", threads=1)


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
        ours[:, columns], theirs[:, [ids[n] for n in columns]], atol=1e-4, rtol=1e-4
    )


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
        own = imported.translate(line, beam=beam, max_length=20, split_sentences=False)
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


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model_type": "bart"}, "model_type = 'bart'"),
        ({"decoder_layers": 3}, "layers differs"),
        ({"normalize_before": True}, "normalize_before"),
        ({"activation_function": "tanh"}, "'tanh' is not known"),
    ],
)
def test_what_cannot_be_imported_is_told(
    marian: tuple[Path, Any], change: dict[str, Any], told: str, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | change), encoding="utf-8")
    answer = command("import", folder, "--out", tmp_path / "run")
    assert is_told_briefly(answer)
    assert told in answer.err
    assert not (tmp_path / "run").exists()


def test_a_pickle_is_not_opened(marian: tuple[Path, Any], tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="is a pickle"):
        import_marian(folder, tmp_path / "run")


@pytest.mark.parametrize("missing", ["config.json", "vocab.json", "source.spm", "target.spm"])
def test_what_is_missing_is_told(marian: tuple[Path, Any], missing: str, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    (folder / missing).unlink()
    with pytest.raises(InputError, match=missing):
        import_marian(folder, tmp_path / "run")
    assert not (tmp_path / "run").exists()
