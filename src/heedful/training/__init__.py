"""From prepared pairs to a trained model."""

from heedful.training.config import TrainingConfig

__all__ = ["TrainingConfig"]
