"""From a model's settings to the model."""

from __future__ import annotations

from heedful.models.bahdanau import Bahdanau
from heedful.models.config import (
    BahdanauConfig,
    ConvConfig,
    LuongConfig,
    ModelConfig,
    RnnConfig,
    TransformerConfig,
)
from heedful.models.conv import Conv
from heedful.models.luong import Luong
from heedful.models.rnn import Rnn
from heedful.models.seq2seq import AnySeq2Seq
from heedful.models.tables import Sizes
from heedful.models.transformer import Transformer


def build(
    config: ModelConfig, *, source_vocabulary: int, target_vocabulary: int, max_length: int
) -> AnySeq2Seq:
    """A new model with random weights. The one place where a model is picked."""
    sizes = Sizes(source_vocabulary, target_vocabulary, max_length)
    match config:
        case RnnConfig():
            return Rnn(config, sizes)
        case BahdanauConfig():
            return Bahdanau(config, sizes)
        case LuongConfig():
            return Luong(config, sizes)
        case ConvConfig():
            return Conv(config, sizes)
        case TransformerConfig():
            return Transformer(config, sizes)
