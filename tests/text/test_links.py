"""Which words belong together."""

from __future__ import annotations

from pathlib import Path

import sentencepiece

from heedful.text.links import Link, links, tokens_of_words
from heedful.text.tokenizer import Tokenizer
from heedful.translator import Translator

from ..trained import sentences


def test_words_and_their_places(prose: Translator) -> None:
    """Weights by hand: each target token looks at the source token of the same place."""
    source, target = sentences()[0]
    s_ids, t_ids = prose.source_tokenizer.encode(source), prose.target_tokenizer.encode(target)
    words = source.split()
    n = len(words)
    owner: list[int] = []
    for piece in prose.source_tokenizer.pieces(s_ids):
        owner.append((owner[-1] if owner else -1) + piece.startswith("▁"))
    rows = []
    word = -1
    for piece in prose.target_tokenizer.pieces(t_ids):
        word += piece.startswith("▁")
        own = [s for s, o in enumerate(owner) if o == min(word, n - 1)]
        rows.append([1 / len(own) if s in own else 0.0 for s in range(len(s_ids))] + [0.0])
    found = links(
        (source, prose.source_tokenizer, s_ids), (target, prose.target_tokenizer, t_ids), rows
    )
    assert [target[slice(*link.target)] for link in found] == target.split()
    assert [source[slice(*link.source)] for link in found] == [
        words[min(i, n - 1)] for i in range(len(target.split()))
    ]
    assert all(link.score == 1.0 for link in found)


def test_what_the_tokenizer_changed_is_found_all_the_same(prose: Translator) -> None:
    source = "The cafe\u0301 sees"  # in two characters, which become one
    ids = prose.source_tokenizer.encode(source)
    even = [[1 / len(ids)] * len(ids)] * len(ids)
    found = links(
        (source, prose.source_tokenizer, ids), (source, prose.source_tokenizer, ids), even
    )
    assert [source[slice(*link.target)] for link in found] == ["The", "cafe\u0301", "sees"]


def test_a_word_is_not_looked_for_further_on(tmp_path: Path) -> None:
    """By a tokenizer that makes one letter of its two forms (NFKC), as those of others do."""
    lines = tmp_path / "lines"
    lines.write_text("\n".join(s for s, _ in sentences()), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(lines), model_prefix=str(tmp_path / "x"), vocab_size=60, minloglevel=2,
        hard_vocab_limit=False, normalization_rule_name="nmt_nfkc",
    )  # fmt: skip
    tokenizer = Tokenizer((tmp_path / "x.model").read_bytes())
    source = "The ca\uff54 loves the dog and the cat."
    ids = tokenizer.encode(source)
    even = [[1 / len(ids)] * len(ids)] * len(ids)
    found = links((source, tokenizer, ids), (source, tokenizer, ids), even)
    assert [source[slice(*link.target)] for link in found] == source.split()


def test_links_move() -> None:
    assert Link((1, 2), (3, 4), 0.5).moved(10, 20) == Link((11, 12), (23, 24), 0.5)


def test_a_term_of_several_words_is_looked_at_as_a_whole(prose: Translator) -> None:
    source = "The cat sees"
    ids = prose.source_tokenizer.encode(source)
    words = tokens_of_words(prose.source_tokenizer, ids)
    shares = [0.3, 0.2, 0.5]
    row = [share / len(tokens) for share, tokens in zip(shares, words, strict=True) for _ in tokens]
    text = (source, prose.source_tokenizer, ids)
    apart = links(text, text, [row] * len(ids))
    assert {(link.source, link.score) for link in apart} == {((8, 12), 0.5)}
    whole = links(text, text, [row] * len(ids), terms=[(4, 12)])
    assert {(link.source, link.score) for link in whole} == {((4, 12), 0.7)}


def test_a_term_that_is_left_out_has_one_of_several_words(prose: Translator) -> None:
    """Shares by hand, of each word at each."""
    source = "The cat sees"
    ids = prose.source_tokenizer.encode(source)
    words = tokens_of_words(prose.source_tokenizer, ids)
    text = (source, prose.source_tokenizer, ids)

    def looked_at(*shares: tuple[float, float, float]) -> list[str]:
        rows = [
            [share / len(to) for share, to in zip(some, words, strict=True) for _ in to]
            for some, tokens in zip(shares, words, strict=True)
            for _ in tokens
        ]
        return [source[slice(*link.source)] for link in links(text, text, rows, terms=[(4, 7)])]

    first, last = (0.9, 0.1, 0.0), (0.0, 0.0, 1.0)
    # The one that looks there most.
    assert looked_at(first, (0.6, 0.4, 0.0), last) == ["The", "cat", "sees"]
    # A word has no other to spare: two others look at one.
    assert looked_at((0.6, 0.4, 0.0), (0.0, 0.2, 0.8), last) == ["The", "cat", "sees"]
    # None so much as glances there.
    assert looked_at(first, (0.0, 0.05, 0.95), last) == ["The", "sees", "sees"]
