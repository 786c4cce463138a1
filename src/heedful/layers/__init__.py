"""The small parts that models are composed of."""

from heedful.layers.dropout import Dropout, drawing_from
from heedful.layers.embedding import Embedding
from heedful.layers.feed_forward import FeedForward
from heedful.layers.positions import LearnedPositions, SinusoidalPositions
from heedful.layers.residual import Residual

__all__ = [
    "Dropout",
    "Embedding",
    "FeedForward",
    "LearnedPositions",
    "Residual",
    "SinusoidalPositions",
    "drawing_from",
]
