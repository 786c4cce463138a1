"""The arrays that belong to words: their vectors and the bias of their logits.

MarianMT may have a vocabulary and a table for each side. Pegasus and Blenderbot have one vocabulary
and read the words of both sides from one table. A model with separate tables is exported to them
with a joined vocabulary: the source's words keep their ids, the target's follow. PAD, BOS and EOS
have one id for both sides. None of their rows is read by both: padding is masked, only the decoder
reads BOS, and only the encoder reads EOS.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heedful.exports.architectures import Architecture
from heedful.exports.ctranslate2 import NEVER
from heedful.exports.marian_names import (
    OUTPUT_BIAS,
    OUTPUT_TABLE,
    SOURCE_TABLE,
    TABLE,
    TARGET_TABLE,
)
from heedful.exports.stored import Array, StoredModel
from heedful.text.special import BOS, EOS, PAD

SHARED = (PAD, BOS, EOS)


def is_joined(stored: StoredModel, architecture: Architecture) -> bool:
    """True if both vocabularies have to become one."""
    return stored.model.tie != "three" and not architecture.has_separate_tables


def target_ids(stored: StoredModel, architecture: Architecture) -> Sequence[int]:
    """The exported id of each token of the target."""
    own = range(len(stored.target_tokenizer))
    if not is_joined(stored, architecture):
        return own
    first = len(stored.source_tokenizer)
    return [n if n in SHARED else first + n for n in own]


def word_arrays(stored: StoredModel, architecture: Architecture) -> dict[str, Array]:
    """By their names in the file."""
    if is_joined(stored, architecture):
        return _joined(stored, target_ids(stored, architecture))
    found = {OUTPUT_BIAS: _bias(stored)[None]}
    if stored.model.tie == "three":
        found[TABLE] = stored.source_table
    else:
        found |= {SOURCE_TABLE: stored.source_table, TARGET_TABLE: stored.target_table}
    if stored.model.tie == "none":
        found[OUTPUT_TABLE] = stored.output_table
    return found


def _joined(stored: StoredModel, ids: Sequence[int]) -> dict[str, Array]:
    """transformers 4 reads one table for encoder and decoder, transformers 5 one for each: the file
    has the same one by all names. A word of the source has no probability in the output."""
    table = np.concatenate([stored.source_table, stored.target_table])
    table[BOS] = stored.target_table[BOS]
    output = np.zeros_like(table)
    output[ids] = stored.output_table
    bias: Array = np.full((1, len(table)), NEVER, np.float32)
    bias[0, ids] = _bias(stored)
    return {
        TABLE: table,
        SOURCE_TABLE: table,
        TARGET_TABLE: table,
        OUTPUT_TABLE: output,
        OUTPUT_BIAS: bias,
    }


def _bias(stored: StoredModel) -> Array:
    """(vocabulary,); zeros if the model has none."""
    none: Array = np.zeros(len(stored.target_tokenizer), np.float32)
    return none if stored.output_bias is None else stored.output_bias
