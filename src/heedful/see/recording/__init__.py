"""What a model did with one sentence, kept without torch: no picture, no page."""
