"""The small parts that models are composed of."""

from heedful.layers.convolution import HALF, GatedConvolution, with_gradient_scaled
from heedful.layers.dropout import Dropout, drawing_from
from heedful.layers.embedding import Embedding
from heedful.layers.feed_forward import FeedForward
from heedful.layers.maxout import Maxout
from heedful.layers.positions import LearnedPositions, SinusoidalPositions
from heedful.layers.recurrent import Recurrent
from heedful.layers.residual import Residual
from heedful.layers.stack import stack

__all__ = [
    "HALF",
    "Dropout",
    "Embedding",
    "FeedForward",
    "GatedConvolution",
    "LearnedPositions",
    "Maxout",
    "Recurrent",
    "Residual",
    "SinusoidalPositions",
    "drawing_from",
    "stack",
    "with_gradient_scaled",
]
