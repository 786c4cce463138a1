from __future__ import annotations

import io
import unicodedata
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heedful.errors import ModelFolderError
from heedful.text.special import BOS, EOS, PAD, UNK, TokenKind
from heedful.text.tokenizer import Tokenizer

LOSSLESS = ["unigram", "bpe", "chars"]
TRICKY = [
    "",
    " ",
    "  a  b ",
    "\t\0\x01\r\x0b\x1c\x7f\x85\u2028",
    "<s></s><unk><pad> <0x41>",
    "⁇ ⁇",
    "▁",
    " ▁▁a▁ b▁",
    "\ue000▁\ue001▅",
    "\ufeffx\ufffd\ufffe\U0010ffff",
    "שלום עליכם \u202eمرحبا",
    "👩\u200d👩\u200d👧 🇰🇷 👍🏽",
    "조선말 漢字 ไทย हिन्दी",
    "ʰːʲ ﬁ Ａ ² ½ ①",
    "\u0378\U000e0001",
    "x" * 30_000 + " " * 3000,
    "a\n\r\nb",
]
ANY_TEXT = (
    st.text()
    | st.text(st.characters(categories=["Mn", "Lo", "Cc", "Zs", "Co", "So"]))
    | (
        st.lists(st.sampled_from(["▁", " ", "a", "the", "<s>", "<0x41>", "\ue000", "e\u0301"])).map(
            "".join
        )
    )
)


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("text", TRICKY)
def test_round_trip_by_hand(tokenizers: dict[str, Tokenizer], name: str, text: str) -> None:
    tokenizer = tokenizers[name]
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == unicodedata.normalize("NFC", text)
    assert not set(ids) & {PAD, UNK, BOS, EOS}


@pytest.mark.parametrize("name", LOSSLESS)
def test_round_trip_of_anything(tokenizers: dict[str, Tokenizer], name: str) -> None:
    tokenizer = tokenizers[name]

    @given(st.lists(ANY_TEXT, max_size=5))
    @settings(deadline=None, max_examples=300)
    @example(TRICKY)
    def check(texts: list[str]) -> None:
        batch = tokenizer.encode_batch(texts)
        assert [tokenizer.decode(ids) for ids in batch] == [
            unicodedata.normalize("NFC", text) for text in texts
        ]
        assert batch == [tokenizer.encode(text) for text in texts]

    check()


@given(text=st.text(st.characters(categories=["Cs", "Ll"])))
@settings(deadline=None, max_examples=50)
def test_lone_surrogates_become_replacement_characters(
    tokenizers: dict[str, Tokenizer], text: str
) -> None:
    wanted = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    tokenizer = tokenizers["bpe"]
    assert tokenizer.decode(tokenizer.encode(text)) == unicodedata.normalize("NFC", wanted)


@pytest.mark.parametrize("name", [*LOSSLESS, "words"])
@pytest.mark.parametrize(
    "text",
    ["Việt Nam là một quốc gia", "une forêt près de", "한국어 문장 하나", "Å Ω ộ ǻ", "ʰ ﬁ ２ ½ é"],
)
def test_a_bare_processor_agrees(tokenizers: dict[str, Tokenizer], name: str, text: str) -> None:
    tokenizer = tokenizers[name]
    bare = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.to_bytes())
    apart = unicodedata.normalize("NFD", text)
    assert apart != text
    assert bare.encode(apart) == bare.encode(text) == tokenizer.encode(text)
    assert tokenizer.encode(apart) == tokenizer.encode(text)
    assert name == "words" or bare.decode(tokenizer.encode(apart)) == text


@pytest.mark.parametrize("name", LOSSLESS)
def test_a_bare_processor_decodes_alike(tokenizers: dict[str, Tokenizer], name: str) -> None:
    tokenizer = tokenizers[name]
    bare = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.to_bytes())
    for text in TRICKY:
        ids = tokenizer.encode(text)
        assert bare.decode(ids) == tokenizer.decode(ids)


def test_words(tokenizers: dict[str, Tokenizer]) -> None:
    tokenizer = tokenizers["words"]
    ids = tokenizer.encode(" the cat\t\tsat \u3000on  the mat ")
    assert tokenizer.decode(ids) == "the cat sat on the mat"
    assert tokenizer.pieces(ids)[:2] == ["▁the", "▁cat"]
    bare = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.to_bytes())
    assert bare.encode(" the cat\t\tsat \u3000on  the mat ") == ids
    ids = tokenizer.encode("the zebra sat the▁cat")
    assert ids[1] == ids[3] == UNK
    assert tokenizer.decode(ids) == "the ⁇ sat ⁇"


def test_chars_have_no_space_before_them(tokenizers: dict[str, Tokenizer]) -> None:
    tokenizer = tokenizers["chars"]
    assert tokenizer.pieces(tokenizer.encode("the c")) == ["t", "h", "e", "▁", "c"]


def test_special_ids_say_nothing(tokenizers: dict[str, Tokenizer]) -> None:
    for tokenizer in tokenizers.values():
        ids = tokenizer.encode("the cat")
        assert tokenizer.decode([BOS, *ids, EOS, PAD, PAD]) == "the cat"
        assert tokenizer.decode([]) == ""
        assert tokenizer.vocabulary[:4] == ("<pad>", "<unk>", "<s>", "</s>")


def test_broken_bytes_become_replacement_characters(tokenizers: dict[str, Tokenizer]) -> None:
    tokenizer = tokenizers["unigram"]
    assert tokenizer.decode([tokenizer.vocabulary.index("<0xE2>")]) == "\ufffd"


def test_threads_change_nothing(tokenizers: dict[str, Tokenizer]) -> None:
    tokenizer = tokenizers["unigram"]
    texts = [f"the cat number {n} ▁" for n in range(600)]
    assert tokenizer.encode_batch(texts) == [tokenizer.encode(text) for text in texts]
    assert tokenizer.encode_batch([]) == []


def test_save_and_load(tokenizers: dict[str, Tokenizer], tmp_path: Path) -> None:
    for name, tokenizer in tokenizers.items():
        tokenizer.save(tmp_path / name)
        loaded = Tokenizer.load(tmp_path / name)
        assert (loaded.digest, loaded.kind, len(loaded)) == (
            tokenizer.digest,
            tokenizer.kind,
            len(tokenizer),
        )
        assert loaded.vocabulary == tokenizer.vocabulary
    assert [tokenizer.kind for tokenizer in tokenizers.values()] == [
        "subwords",
        "subwords",
        "chars",
        "words",
    ]


def test_model_files_stay_small(tokenizers: dict[str, Tokenizer]) -> None:
    assert max(len(tokenizer.to_bytes()) for tokenizer in tokenizers.values()) < 250_000
    assert all(b".tsv" not in tokenizer.to_bytes() for tokenizer in tokenizers.values())


def test_missing_and_damaged_files(tokenizers: dict[str, Tokenizer], tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    with pytest.raises(ModelFolderError, match=r"tokenizer\.model: the tokenizer cannot be read"):
        Tokenizer.load(path)
    model = tokenizers["bpe"].to_bytes()
    for damaged in (b"", b"text\n", model[: len(model) // 2], model[1000:], bytes(1000)):
        path.write_bytes(damaged)
        with pytest.raises(ModelFolderError, match=r"tokenizer\.model: this is not a heedful tok"):
            Tokenizer.load(path)


def test_a_foreign_model_is_refused(tmp_path: Path) -> None:
    foreign = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(["a b c"]), model_writer=foreign, vocab_size=7, minloglevel=3
    )
    path = tmp_path / "foreign.model"
    path.write_bytes(foreign.getvalue())
    with pytest.raises(ModelFolderError, match=r"are \(-1, 0, 1, 2\); \(0, 1, 2, 3\) are wanted"):
        Tokenizer.load(path)


KOREAN = [
    "한국어를 소리 나는 대로 적는다",
    "동물이 길을 건너지 않았다",
    "ㄱㄴㄷ순 ᆯ지 ᄀ가 각ᆨ",
    "값 닭 abc 日本",
]


@pytest.mark.parametrize("kind", ["chars", "subwords"])
def test_hangul_may_be_cut_into_its_letters(kind: TokenKind) -> None:
    tokenizer = Tokenizer.learn(KOREAN * 20, kind=kind, size=400, jamo=True)
    assert tokenizer.jamo
    for line in [*KOREAN, "쀍", "가" * 50]:
        assert tokenizer.decode(tokenizer.encode(line)) == unicodedata.normalize("NFC", line)
        assert tokenizer.encode_batch([line]) == [tokenizer.encode(line)]
    cut = "".join(tokenizer.pieces(tokenizer.encode("한")))
    assert cut.endswith("\u1112\u1161\u11ab")
    again = Tokenizer(tokenizer.to_bytes())  # the file itself knows
    assert again.jamo
    assert again.encode("한국어") == tokenizer.encode("한국어")


def test_characters_of_korean_are_jamo_by_default_and_no_others() -> None:
    assert Tokenizer.learn(KOREAN, kind="chars").jamo
    assert not Tokenizer.learn(KOREAN, kind="chars", jamo=False).jamo
    assert not Tokenizer.learn(KOREAN * 20, kind="subwords", size=400).jamo
    assert not Tokenizer.learn(["hello everybody", "日本", "가"], kind="chars").jamo
