"""The small parts that models are composed of."""

from heedful.layers.convolution import ROOT_HALF, GatedConvolution, with_gradient_scaled
from heedful.layers.dropout import Dropout, drawing_from
from heedful.layers.embedding import Embedding
from heedful.layers.feed_forward import FeedForward
from heedful.layers.maxout import Maxout
from heedful.layers.positions import LearnedPositions, SinusoidalPositions
from heedful.layers.recurrent import Recurrent
from heedful.layers.residual import Residual
from heedful.layers.stack import stack
from heedful.layers.weight_norm import NormalisedLinear

__all__ = [
    "ROOT_HALF",
    "Dropout",
    "Embedding",
    "FeedForward",
    "GatedConvolution",
    "LearnedPositions",
    "Maxout",
    "NormalisedLinear",
    "Recurrent",
    "Residual",
    "SinusoidalPositions",
    "drawing_from",
    "stack",
    "with_gradient_scaled",
]
