"""Tables of words that begin with vectors which others have learnt.

What was read from the files is kept in the run: it goes on with it, also if it was stopped before
its first checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn

from heedful.batches.prepared import Prepared
from heedful.errors import ModelFolderError
from heedful.files import new_file
from heedful.models.config import ModelSettings
from heedful.models.seq2seq import AnySeq2Seq
from heedful.text.special import SPACE
from heedful.text.tokenizer import Tokenizer
from heedful.text.vectors import WordVectors, read_vectors
from heedful.training.options import TrainOptions
from heedful.training.reporter import Reporter

FILE = "vectors.safetensors"


@dataclass(frozen=True)
class TableStart:
    """What some rows of a table begin with."""

    ids: Tensor  # (n,)
    rows: Tensor  # (n, width)

    @classmethod
    def of(cls, vectors: WordVectors) -> TableStart:
        """All are scaled by one number, so that their elements are as large as those that begin at
        random; who is near to whom stays as it was."""
        size = max(float(np.sqrt(np.mean(vectors.rows**2))), float(np.finfo(np.float32).tiny))
        rows = vectors.rows / size * vectors.width**-0.5
        return cls(torch.from_numpy(vectors.ids), torch.from_numpy(rows.astype(np.float32)))

    def fill(self, table: nn.Parameter) -> None:
        """Puts the rows into their places."""
        with torch.no_grad():
            table[self.ids.to(table.device)] = self.rows.to(table)

    def freeze(self, table: nn.Parameter) -> None:
        """These rows get no gradient from now on; the table's others still learn."""
        ids = self.ids.to(table.device)
        table.register_hook(  # type: ignore[no-untyped-call]  # torch's
            lambda gradient: gradient.index_fill(0, ids, 0)
        )


@dataclass(frozen=True)
class GivenVectors:
    """What was given for either side."""

    source: TableStart | None = None
    target: TableStart | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """What a model must know of them."""
        sides = {"source_vectors": self.source, "target_vectors": self.target}
        return {name: side.rows.shape[1] for name, side in sides.items() if side}

    def begin(self, model: AnySeq2Seq, *, frozen: bool) -> None:
        """The model's words begin with them and, if they are frozen, stay so."""
        for side, table in (
            (self.source, model.embed_source.table),
            (self.target, model.embed_target.table),
        ):
            if side is not None:
                side.fill(table)
                if frozen:
                    side.freeze(table)

    def write(self, run: Path) -> None:
        """Into the run, whole or not at all."""
        tensors = {
            f"{name}.{part}": getattr(side, part).numpy()
            for name, side in (("source", self.source), ("target", self.target))
            if side
            for part in ("ids", "rows")
        }
        if tensors:
            with new_file(run / FILE) as partial:
                save_file(tensors, partial)


def read_given(options: TrainOptions, data: Prepared, reporter: Reporter) -> GivenVectors:
    """The files of the options, for the words of the data."""
    return GivenVectors(
        _read("source", options.source_embeddings, data.source_tokenizer, reporter),
        _read("target", options.target_embeddings, data.target_tokenizer, reporter),
    )


def _read(
    side: str, path: Path | None, tokenizer: Tokenizer, reporter: Reporter
) -> TableStart | None:
    if path is None:
        return None
    reporter.stage(f"reading the {side} words' vectors", 0, None)
    found = read_vectors(
        Path(path),
        [piece.removeprefix(SPACE) for piece in tokenizer.vocabulary],
        lambda n: reporter.stage(f"reading the {side} words' vectors", n, None),
    )
    reporter.say(found.describe())
    return TableStart.of(found)


def stored_vectors(run: Path, model: ModelSettings) -> GivenVectors:
    """Those that a run was begun with."""
    path = run / FILE
    wanted = {"source": model.source_vectors, "target": model.target_vectors}
    if not any(wanted.values()):
        return GivenVectors()
    try:
        tensors = {name: torch.from_numpy(array) for name, array in load_file(path).items()}
        sides = {
            name: TableStart(tensors[f"{name}.ids"], tensors[f"{name}.rows"])
            for name, width in wanted.items()
            if width
        }
    except (OSError, SafetensorError, KeyError) as error:
        raise ModelFolderError(
            f"{path} is missing or damaged ({error}): model.source_vectors and "
            f"model.target_vectors are told by --source-embeddings and --target-embeddings, which "
            f"a new run must be given"
        ) from None
    return GivenVectors(**sides)
