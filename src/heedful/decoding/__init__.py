"""From a model to the best target: greedy, beam and sampling over one interface."""
