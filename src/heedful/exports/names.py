"""The words by which users ask for numbers of fewer bits."""

from __future__ import annotations

from typing import Literal

Quantization = Literal["int8", "int8_float32", "int16", "bfloat16", "float16"]
