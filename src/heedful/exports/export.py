"""`heedful export`: a new folder, or one file, whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from heedful.errors import InputError, ModelFolderError, RecipeError, check_known
from heedful.exports.argos import write_argos
from heedful.exports.ctranslate2 import write_ctranslate2
from heedful.exports.expressible import (
    argos_refusal,
    ctranslate2_refusal,
    huggingface_refusal,
    onnx_refusal,
)
from heedful.exports.huggingface import write_huggingface
from heedful.exports.names import Format, Quantization
from heedful.exports.onnx import write_onnx
from heedful.exports.stored import StoredModel, read_stored
from heedful.files import new_file, new_folder
from heedful.model_folder.card import Card, read_card
from heedful.text.sides import save_sides

REFUSALS: dict[str, Callable[[Card], str | None]] = {
    "ctranslate2": ctranslate2_refusal,
    "huggingface": huggingface_refusal,
    "onnx": onnx_refusal,
    "argos": argos_refusal,
}


def export_model(
    run: Path,
    out: Path | None,
    *,
    to: Format,
    quantize: Quantization | None,
    report: Callable[[str], None] = print,
) -> Path:
    """Writes the model of a run for other software; reports where."""
    check_known("format", to, REFUSALS)
    if quantize is not None:
        check_known("quantize", quantize, get_args(Quantization))
    card = read_card(run)
    if why_not := REFUSALS[to](card):
        able = [name for name, refusal in REFUSALS.items() if refusal(card) is None]
        others = f"it can be to {', '.join(able)}" if able else "nor to anything else"
        raise RecipeError(f"{run} cannot be exported to {to}: {why_not}; {others}")
    out = out or _beside(run, to)
    if out.exists():
        raise InputError(f"{out} is there already: choose another --out, or move it away")
    if quantize is not None and to in ("huggingface", "onnx"):
        raise RecipeError(f"--quantize is CTranslate2's; {to} stores 32 bits")
    stored = read_stored(run)
    try:
        if to == "argos":
            with new_file(out) as partial, tempfile.TemporaryDirectory() as work:
                write_argos(stored, partial, quantize=quantize, work=Path(work))
        else:
            with new_folder(out) as partial:
                _write(stored, partial, to, quantize)
    except OSError as error:
        raise ModelFolderError(f"{out} could not be written: {error}") from error
    report(f"{run} is now in {out}, for {to}")
    if stored.target_tokenizer.jamo:
        report(
            "It writes Hangul letter by letter, as it was trained to (text.jamo): join the letters "
            "of what it writes, in Python with unicodedata.normalize('NFC', text)"
        )
    return out


def _beside(run: Path, to: str) -> Path:
    whole = run.resolve()
    if not whole.name:
        raise InputError(f"{run} has nothing beside it: choose an --out")
    named = run.name not in ("", "..")  # not so . and ..
    ending = ".argosmodel" if to == "argos" else f"-{to}"
    return (run if named else whole).with_name(whole.name + ending)


def _write(stored: StoredModel, folder: Path, to: Format, quantize: Quantization | None) -> None:
    match to:
        case "huggingface":
            write_huggingface(stored, folder)
        case "onnx":
            write_onnx(stored, folder)
        case _:
            write_ctranslate2(stored, folder, quantize=quantize, for_others=True)
            save_sides(folder, stored.source_tokenizer, stored.target_tokenizer)
