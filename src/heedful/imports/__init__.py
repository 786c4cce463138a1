"""Models of others -> model folders of heedful."""
