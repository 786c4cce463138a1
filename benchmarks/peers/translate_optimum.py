"""Translates lines with an exported folder by Hugging Face's Optimum: JSON in, JSON out.

python translate_optimum.py FOLDER BEAM < lines.json > translations.json
"""

from __future__ import annotations

import json
import sys

from optimum.onnxruntime import ORTModelForSeq2SeqLM
from transformers import AutoTokenizer

AT_ONCE = 20  # of different lengths, so that some are padded


def main() -> None:
    """As its manual says."""
    folder, beam = sys.argv[1], int(sys.argv[2])
    model = ORTModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    lines, found = json.load(sys.stdin), []
    for at in range(0, len(lines), AT_ONCE):
        inputs = tokenizer(lines[at : at + AT_ONCE], return_tensors="pt", padding=True)
        ids = model.generate(**inputs, num_beams=beam, early_stopping=beam > 1)
        found += tokenizer.batch_decode(ids, skip_special_tokens=True)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
