from __future__ import annotations

from heedful.text.bulk.pair_encoder import PairEncoder, Task
from heedful.text.tidy import line_hashes
from heedful.text.tokenizer import Tokenizer


def test_a_block_of_pairs(tokenizers: dict[str, Tokenizer]) -> None:
    source, target = tokenizers["unigram"], tokenizers["chars"]
    encode = PairEncoder(source.to_bytes(), target.to_bytes(), longest=9)
    block = b"the cat\n\na dog\n saw\nthe mat\n", b"one\ntwo\n three\nmuch too long\nfive\n"
    out = encode(Task(block, aside=(1,)))
    assert (out.usable, out.too_long, out.aside) == (4, 1, [("a dog", "three")])
    wanted = [("the cat", "one"), ("the mat", "five")]
    assert out.source.ids.tolist() == [i for s, _ in wanted for i in source.encode(s)]
    assert out.target.ids.tolist() == [i for _, t in wanted for i in target.encode(t)]
    assert out.source.lengths.tolist() == [len(source.encode(s)) for s, _ in wanted]
    assert out.hashes.tolist() == line_hashes(["the cat", "saw", "the mat"]).tolist()


def test_a_block_of_blank_lines(tokenizers: dict[str, Tokenizer]) -> None:
    side = tokenizers["bpe"].to_bytes()
    out = PairEncoder(side, side, longest=9)(Task((b"\n \n", b"a\nb\n")))
    assert (out.usable, len(out.source), len(out.target), len(out.hashes)) == (0, 0, 0, 0)
