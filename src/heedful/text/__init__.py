"""Text in, token ids out: files, vocabularies, sentences. Needs no torch."""

from heedful.text.config import TextConfig, suggested_vocabulary_size
from heedful.text.corpus import ParallelCorpus
from heedful.text.lines import read_lines
from heedful.text.sentences import chunks, split_sentences
from heedful.text.special import BOS, EOS, PAD, UNK
from heedful.text.tokenizer import Tokenizer

__all__ = [
    "BOS",
    "EOS",
    "PAD",
    "UNK",
    "ParallelCorpus",
    "TextConfig",
    "Tokenizer",
    "chunks",
    "read_lines",
    "split_sentences",
    "suggested_vocabulary_size",
]
