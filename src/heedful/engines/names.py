"""The words by which users ask for an engine."""

from __future__ import annotations

from typing import Literal

EngineName = Literal["auto", "torch", "ctranslate2"]
Device = Literal["auto", "cpu", "cuda", "mps"]
