"""From a model to the best target: greedy, beam and sampling over one interface."""

from heedful.decoding.config import DecodingConfig

__all__ = ["DecodingConfig"]
