"""From prepared pairs to a trained model."""
