"""What can be asked for by name. Needs nothing else."""

from __future__ import annotations

from typing import Literal

Picture = Literal[
    "alignment", "heads", "arcs", "step", "masks", "projections", "positions", "search", "curve",
    "scaling",
]  # fmt: skip
"""What `--as` can draw."""
