"""Tests that ask Linux about processes."""

from __future__ import annotations

from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="machine: no /proc here")
