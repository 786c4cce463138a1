from __future__ import annotations

import pytest

from heedful.evaluation import compare, evaluate
from heedful.evaluation.notes import script_note


@pytest.mark.parametrize(
    ("line", "fitting"),
    [
        ("고양이가 방에서 잠을 잔다.", "ko-mecab"),
        ("猫が部屋で寝ています。", "ja-mecab"),
        ("一只猫在房间里睡觉。", "zh"),
        ("แมวนอนหลับอยู่ในห้อง", "flores200"),
        ("Die Katze schläft im Zimmer.", None),
        ("Кошка спит в комнате.", None),
        ("The word 고양이 means cat, and 猫 too.", None),
        ("", None),
    ],
)
def test_the_tokenizer_that_fits_a_script(line: str, fitting: str | None) -> None:
    note = script_note([line] * 3) or "--tokenize None "
    assert f"--tokenize {fitting} " in note


def test_only_the_default_tokenizer_is_doubted() -> None:
    lines = ["고양이가 방에서 잠을 잔다."]
    assert "ko-mecab" in evaluate(lines, lines, words=False, bootstrap=0).notes[0]
    assert evaluate(lines, lines, words=False, bootstrap=0, tokenize="char").notes == ()
    systems = {"a": lines, "b": lines}
    assert compare(systems, lines, trials=9, bootstrap=0).notes == (script_note(lines),)
    assert compare(systems, lines, trials=9, bootstrap=0, tokenize="char").notes == ()
