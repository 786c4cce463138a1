from __future__ import annotations

from heedful.text.bulk.pair_encoder import PairEncoder
from heedful.text.tidy import line_hashes
from heedful.text.tokenizer import Tokenizer


def test_a_block_of_pairs(tokenizers: dict[str, Tokenizer]) -> None:
    source, target = tokenizers["unigram"], tokenizers["chars"]
    aside = line_hashes(["a dog", "elsewhere"]).tolist()
    encode = PairEncoder(source.to_bytes(), target.to_bytes(), 9, aside)
    out = encode(
        (
            b"the cat\n\na dog\n saw\na dog \nthe mat\n",
            b"one\ntwo\n three\nmuch too long\nfour\nfive\n",
        )
    )
    assert (out.usable, out.aside, out.too_long) == (5, 2, 1)
    wanted = [("the cat", "one"), ("the mat", "five")]
    assert out.source.ids.tolist() == [i for s, _ in wanted for i in source.encode(s)]
    assert out.target.ids.tolist() == [i for _, t in wanted for i in target.encode(t)]
    assert out.source.lengths.tolist() == [len(source.encode(s)) for s, _ in wanted]
    assert out.hashes.tolist() == line_hashes(["the cat", "saw", "the mat"]).tolist()


def test_a_block_of_blank_lines(tokenizers: dict[str, Tokenizer]) -> None:
    side = tokenizers["bpe"].to_bytes()
    out = PairEncoder(side, side, longest=9)((b"\n \n", b"a\nb\n"))
    assert (out.usable, len(out.source), len(out.target), len(out.hashes)) == (0, 0, 0, 0)
