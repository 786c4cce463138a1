from __future__ import annotations

import pytest

from heedful.text.tokenizer import Tokenizer

LINES = [
    "the cat sat on the mat",
    "a dog in the fog  saw a cat",
    "Việt Nam là một quốc gia",
    "une forêt près de la rivière",
    "한국어 문장 하나",
    "literally <s> and </s> and <0x41> and ▁ and ▅ and \0",
]


@pytest.fixture(scope="session")
def tokenizers() -> dict[str, Tokenizer]:
    return {
        "unigram": Tokenizer.learn(LINES, algorithm="unigram"),
        "bpe": Tokenizer.learn(LINES, algorithm="bpe"),
        "chars": Tokenizer.learn(LINES, kind="chars"),
        "words": Tokenizer.learn(LINES, kind="words"),
    }
