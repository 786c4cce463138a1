"""What a server was told before it could listen to it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Early:
    """By signals, while it starts."""

    is_stale: threading.Event = field(default_factory=threading.Event)
    """There is a new version."""
    is_told_to_end: threading.Event = field(default_factory=threading.Event)
