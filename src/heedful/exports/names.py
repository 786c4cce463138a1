"""The words by which users ask for a format, and for numbers of fewer bits."""

from __future__ import annotations

from typing import Literal

Format = Literal["ctranslate2", "huggingface", "onnx", "argos"]
Quantization = Literal["int8", "int8_float32", "int16", "bfloat16", "float16"]
