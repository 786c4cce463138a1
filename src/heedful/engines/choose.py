"""Which engine translates: CTranslate2 where it can, torch where it must."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.converted import NowhereToWriteError, converted, digest_of
from heedful.engines.engine import Engine, Task
from heedful.engines.names import Device, EngineName
from heedful.errors import ModelFolderError, RecipeError, check_known
from heedful.exports.expressible import ctranslate2_refusal, positions
from heedful.exports.names import Quantization
from heedful.machine import check_threads, granted_cores
from heedful.model_folder.card import Card
from heedful.model_folder.weights import OnlyForTorchError
from heedful.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from heedful.engines.ctranslate2_engine import CTranslate2Engine
    from heedful.engines.torch_engine import TorchEngine

OpenTorch = Callable[[], "TorchEngine"]


class PreferredEngine:
    """CTranslate2, and torch for what it refuses; torch is loaded only then."""

    name = "ctranslate2 (torch for what it cannot do)"

    def __init__(self, fast: CTranslate2Engine, open_torch: OpenTorch) -> None:
        self._fast = fast
        self._open_torch = open_torch

    def refusal(self, task: Task) -> None:
        """One of the two can."""

    def search(self, task: Task) -> list[list[Hypothesis]]:
        """By whichever can."""
        able: Engine = self._open_torch() if self._fast.refusal(task) else self._fast
        return able.search(task)


def choose_engine(
    folder: Path,
    card: Card,
    tokenizers: tuple[Tokenizer, Tokenizer],
    open_torch: OpenTorch,
    *,
    engine: EngineName,
    device: str,
    threads: int | None,
    quantize: Quantization | None,
) -> Engine:
    """The engine of this name; `auto` is CTranslate2 for the models and devices that it knows."""
    check_known("engine", engine, get_args(EngineName))
    check_known("device", device, get_args(Device))
    if quantize is not None:
        check_known("quantize", quantize, get_args(Quantization))
    check_threads(threads)
    insisted = _insisted_on(engine, quantize)
    if why_torch := _why_torch(card, engine, device):
        if insisted:
            raise RecipeError(f"{insisted} cannot be used: {why_torch}")
        return open_torch()
    try:
        fast = _open_ctranslate2(folder, card, tokenizers, device, threads, quantize)
    except (NowhereToWriteError, OnlyForTorchError):
        if insisted:
            raise
        return open_torch()
    return fast if insisted else PreferredEngine(fast, open_torch)


def _insisted_on(engine: EngineName, quantize: Quantization | None) -> str | None:
    """What only CTranslate2 can do: who asks for fewer bits shall not get torch's 32 without a
    word."""
    if engine == "ctranslate2":
        return "engine ctranslate2"
    return None if quantize is None else f"quantize = {quantize!r}"


def _why_torch(card: Card, engine: EngineName, device: str) -> str | None:
    """Why CTranslate2 is out of the question; None if it is not."""
    if engine == "torch":
        return "torch is asked for, which knows 32 bits alone"
    if device == "mps":
        return "CTranslate2 knows no device mps"
    return ctranslate2_refusal(card)


def _open_ctranslate2(
    folder: Path,
    card: Card,
    tokenizers: tuple[Tokenizer, Tokenizer],
    device: str,
    threads: int | None,
    quantize: Quantization | None,
) -> CTranslate2Engine:
    import ctranslate2

    from heedful.engines.ctranslate2_engine import CTranslate2Engine

    has_cuda = ctranslate2.get_cuda_device_count() > 0
    if device == "cuda" and not has_cuda:
        raise RecipeError("device 'cuda' is not on this machine, as CTranslate2 sees it")
    processor = "cuda" if has_cuda and device != "cpu" else "cpu"
    able = ctranslate2.get_supported_compute_types(processor)
    if quantize not in (None, *able):
        raise RecipeError(
            f"quantize = {quantize!r} cannot be used: on this machine's {processor} CTranslate2 "
            f"computes with {', '.join(sorted(able))}"
        )
    try:
        place = converted(folder)
    except NowhereToWriteError as error:
        raise NowhereToWriteError(f"{error}: mend that, or use --engine torch") from None
    if card.weights_digest not in (None, digest_of(place)):
        raise ModelFolderError(
            f"the weights in {folder} are not those that its config.json tells of: copy the whole "
            f"model folder again"
        )
    try:
        return CTranslate2Engine(
            place,
            vocabularies=(tokenizers[0].vocabulary, tokenizers[1].vocabulary),
            positions=positions(card),
            device=device,
            threads=threads or granted_cores(),
            compute_type=quantize or "float32",
        )
    except (RuntimeError, ValueError) as error:  # CTranslate2's own
        raise ModelFolderError(
            f"CTranslate2 could not open its copy of {folder}: {error}. Delete {place}, and it is "
            f"made again; --engine torch needs none"
        ) from None
