"""One way to translate a file, loaded once and then asked again and again.

    python worker.py '{"kind": "heedful", …}'

Reads a line for each pass that is wanted, writes the seconds it took. So passes of several workers
can take turns, each in a process of its own.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Pass = Callable[[], None]


def heedful_file(run: str, source: str, out: str, options: dict[str, Any], **how: Any) -> Pass:
    """What `heedful translate` does with a file."""
    from heedful.streaming import put_into, write_translations
    from heedful.text.lines import read_lines
    from heedful.translator import load

    translator = load(run, **how)

    def go() -> None:
        with Path(out).open("w", encoding="utf-8") as written:
            put = put_into(written)
            write_translations(
                translator, read_lines(source), put, as_json=False, options=dict(options)
            )

    return go


def heedful_one(
    run: str, source: str, options: dict[str, Any], torch_before: bool = False, **how: Any
) -> Pass:
    """Line by line, each answered before the next is asked."""
    from heedful.translator import load

    lines = Path(source).read_text(encoding="utf-8").splitlines()
    if torch_before:
        load(run, engine="torch").translate(lines)
    translator = load(run, **how)

    def go() -> None:
        for line in lines:
            translator.translate(line, **options)

    return go


def _ctranslate2(folder: str, inter: int, intra: int, compute_type: str) -> tuple[Any, Any]:
    import ctranslate2
    import sentencepiece

    tokenizer = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/tokenizer.model")
    translator = ctranslate2.Translator(
        folder, inter_threads=inter, intra_threads=intra, compute_type=compute_type
    )
    return tokenizer, translator


def ctranslate2_file(
    folder: str, source: str, out: str, options: dict[str, Any],
    inter: int, intra: int, compute_type: str, batch: int,
) -> Pass:  # fmt: skip
    """CTranslate2 itself, as its manual says: tokenise all, translate all, join all."""
    tokenizer, translator = _ctranslate2(folder, inter, intra, compute_type)

    def go() -> None:
        lines = Path(source).read_text(encoding="utf-8").splitlines()
        found = translator.translate_batch(
            tokenizer.encode(lines, out_type=str),
            max_batch_size=batch, batch_type="tokens", **options,
        )  # fmt: skip
        texts = tokenizer.decode([answer.hypotheses[0] for answer in found])
        Path(out).write_text("".join(text + "\n" for text in texts), encoding="utf-8")

    return go


def ctranslate2_one(
    folder: str, source: str, options: dict[str, Any], inter: int, intra: int, compute_type: str
) -> Pass:
    """CTranslate2 itself, line by line."""
    tokenizer, translator = _ctranslate2(folder, inter, intra, compute_type)
    lines = Path(source).read_text(encoding="utf-8").splitlines()

    def go() -> None:
        for line in lines:
            found = translator.translate_batch([tokenizer.encode(line, out_type=str)], **options)
            tokenizer.decode(found[0].hypotheses[0])

    return go


def huggingface_file(
    folder: str, source: str, out: str, options: dict[str, Any], batch: int
) -> Pass:
    """`generate` on batches of sentences of like length."""
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)

    def go() -> None:
        lines = Path(source).read_text(encoding="utf-8").splitlines()
        order = sorted(range(len(lines)), key=lambda i: -len(lines[i]))
        texts = [""] * len(lines)
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            inputs = tokenizer([lines[i] for i in rows], return_tensors="pt", padding=True)
            with torch.inference_mode():
                found = model.generate(**inputs, **options)
            for i, ids in zip(rows, found, strict=True):
                texts[i] = tokenizer.decode(ids, skip_special_tokens=True)
        Path(out).write_text("".join(text + "\n" for text in texts), encoding="utf-8")

    return go


KINDS: dict[str, Callable[..., Pass]] = {
    "heedful": heedful_file,
    "heedful one": heedful_one,
    "ctranslate2": ctranslate2_file,
    "ctranslate2 one": ctranslate2_one,
    "huggingface": huggingface_file,
}


def main() -> None:
    """Loads, warms up, and then does a pass for each line that comes."""
    task = json.loads(sys.argv[1])
    go = KINDS[task.pop("kind")](**task)
    go()
    print("ready", flush=True)
    for _ in sys.stdin:
        started = time.perf_counter()
        go()
        print(time.perf_counter() - started, flush=True)


if __name__ == "__main__":
    main()
