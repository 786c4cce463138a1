"""Text to token ids and back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, final

import sentencepiece

from heedful.errors import ModelFolderError
from heedful.files import write_atomically
from heedful.text.config import Algorithm
from heedful.text.learning import learn_model
from heedful.text.model_file import first_piece, kind_of_model
from heedful.text.normalization import is_nfc, nfc, to_jamo
from heedful.text.scripts import ALONE
from heedful.text.special import BOS, EOS, PAD, SPACE, UNK, TokenKind

_WORTH_THREADS: Final = 500
"""Texts; for fewer, starting threads takes longer than the work."""


@final
class Tokenizer:
    """A SentencePiece model of subwords, characters or words.

    For subwords and characters `decode(encode(text))` is `text` in NFC, whatever the script: what
    has no piece is spelt in bytes. Words outside the vocabulary become UNK, shown as ⁇.
    """

    def __init__(self, model: bytes) -> None:
        """Takes the bytes of a model file; `learn` and `load` are the usual ways here."""
        self._model: Final = model
        self.kind: Final[TokenKind] = kind_of_model(model)
        self._processor: Final = sentencepiece.SentencePieceProcessor(model_proto=model)
        self.jamo: Final = "ᄀ" in self._processor.normalize("가")
        """Whether Hangul syllables are cut into their letters first."""
        self.digest: Final = hashlib.sha256(model).hexdigest()
        n = self._processor.get_piece_size()
        self.vocabulary: Final[tuple[str, ...]] = tuple(self._processor.id_to_piece(list(range(n))))
        first = first_piece(model)
        self.first: Final = [] if first is None else [self._processor.piece_to_id(first)]
        """What every text begins with, unseen: the word that tells a model which language to write.
        """
        self.longest_piece: Final = max(map(len, self.vocabulary))
        self._known: Final = frozenset("".join(self.vocabulary))
        self._bytes: Final = [self._bytes_of(index) for index in range(n)]

    def continuations(self) -> frozenset[int]:
        """The pieces that would make another word of the one before them, if they followed it."""
        if self.kind != "subwords":
            return frozenset()
        return frozenset(n for n, piece in enumerate(self.vocabulary) if ALONE.match(piece))

    @classmethod
    def learn(
        cls,
        lines: Iterable[str],
        *,
        kind: TokenKind = "subwords",
        algorithm: Algorithm = "unigram",
        size: int | None = None,
        jamo: bool | None = None,
        scale: float = 1,
    ) -> Tokenizer:
        """Learns from the lines: a whole text, or a sample of one that is `scale` times as long.

        Without a size it is chosen from that length; a small text may have fewer pieces than asked.
        """
        return cls(
            learn_model(lines, kind=kind, algorithm=algorithm, size=size, jamo=jamo, scale=scale)
        )

    @classmethod
    def load(cls, path: str | Path) -> Tokenizer:
        """Reads what `save` wrote."""
        try:
            model = Path(path).read_bytes()
        except OSError as error:
            raise ModelFolderError(
                f"{path}: the tokenizer cannot be read ({error.strerror}). "
                f"It belongs beside the weights: restore the whole model folder"
            ) from None
        damaged = f"{path}: this is not a heedful tokenizer, or it is damaged. "
        try:
            tokenizer = cls(model)
        except (RuntimeError, ValueError):
            raise ModelFolderError(damaged + "Restore the whole model folder") from None
        sp = tokenizer._processor
        specials = (sp.pad_id(), sp.unk_id(), sp.bos_id(), sp.eos_id())
        if specials != (PAD, UNK, BOS, EOS):
            raise ModelFolderError(
                damaged + f"The ids of pad, unk, bos and eos are {specials}; "
                f"{(PAD, UNK, BOS, EOS)} are wanted"
            )
        return tokenizer

    def save(self, path: str | Path) -> None:
        """Writes a model file that any SentencePiece can read."""
        write_atomically(Path(path), self._model)

    def to_bytes(self) -> bytes:
        """The model file's content."""
        return self._model

    def __len__(self) -> int:
        return len(self.vocabulary)

    def encode(self, text: str) -> list[int]:
        """The ids of the text, without BOS and EOS. A lone surrogate counts as U+FFFD."""
        text = self._prepared(text)
        if SPACE in text:
            return self._encode_with_space_symbol(text)
        return self._begun(self._processor.encode(text, out_type=int))

    def _begun(self, ids: list[int]) -> list[int]:
        """No text has no beginning."""
        return [*self.first, *ids] if ids and self.first else ids

    def encode_batch(self, texts: list[str], *, n_threads: int | None = None) -> list[list[int]]:
        """`encode` for many texts at once, on all processors if they are worth it."""
        together = "".join(texts)  # quicker to look at than each of many
        if self.kind == "words" or self.jamo or not is_nfc(together):
            texts = [self._prepared(text) for text in texts]
        ids: list[list[int]]
        if n_threads is None and len(texts) < _WORTH_THREADS:  # for a list it would start a thread
            ids = [self._processor.encode(text, out_type=int) for text in texts]
        else:
            ids = self._processor.encode(texts, out_type=int, num_threads=n_threads or -1)
        if self.first:
            ids = [self._begun(row) for row in ids]
        if SPACE in together:
            for row, text in enumerate(texts):
                if SPACE in text:
                    ids[row] = self._encode_with_space_symbol(text)
        return ids

    def _prepared(self, text: str) -> str:
        text = to_jamo(nfc(text)) if self.jamo else nfc(text)
        return " ".join(text.split()) if self.kind == "words" else text

    def _encode_with_space_symbol(self, text: str) -> list[int]:
        """A true ▁ would be read as a space. So another character takes its place, one that is
        neither in the text nor in the vocabulary and is hence spelt in bytes; then ▁'s own bytes
        take theirs. (A word with ▁ is simply unknown.)"""
        other = next(
            character
            for character in map(chr, range(0xE000, 0x110000))
            if character not in self._known
            and character not in text
            and nfc(character) == character
        )
        ids: list[int] = self._processor.encode(text.replace(SPACE, other), out_type=int)
        if self.kind == "words":
            return self._begun(ids)
        old, new = self._spell(other), self._spell(SPACE)
        out: list[int] = []
        for index in ids:
            out.append(index)
            if out[-len(old) :] == old:
                out[-len(old) :] = new
        return self._begun(out)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids. PAD, BOS and EOS say nothing; UNK is shown as ⁇; bytes that are not
        UTF-8, as an untrained model may write, become U+FFFD."""
        text = b"".join([self._bytes[index] for index in ids]).decode(errors="replace")
        if self.jamo:
            text = nfc(text)
        return text if self.kind == "chars" else text.removeprefix(" ")

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Each token as people can read it: ▁ marks a space, <0xE2> a byte."""
        return [self.vocabulary[index] for index in ids]

    def text_pieces(self) -> list[tuple[int, str]]:
        """Ids and pieces of those that stand for text: no marks, no bytes."""
        sp = self._processor
        return [
            (index, piece)
            for index, piece in enumerate(self.vocabulary)
            if not (sp.is_control(index) or sp.is_unknown(index) or sp.is_byte(index))
        ]

    def _spell(self, character: str) -> list[int]:
        return [self._processor.piece_to_id(f"<0x{byte:02X}>") for byte in character.encode()]

    def _bytes_of(self, index: int) -> bytes:
        if self._processor.is_control(index):
            return b""
        if index == UNK:
            return " ⁇".encode()
        piece = self.vocabulary[index]
        if self._processor.is_byte(index):
            return bytes([int(piece[1:-1], 16)])
        return piece.replace(SPACE, " ").encode()
