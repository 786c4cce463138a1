"""A model reads a pair of sentences, and all of every head is kept.

Of a model that has no attention, what its gradients say is kept instead, under that name.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Literal

from heedful.errors import InputError
from heedful.see.recording.attention import Attention, Kind, Vectors, Working
from heedful.see.recording.record import Candidate, Node, Record
from heedful.text.special import BOS, PAD, UNK

if TYPE_CHECKING:
    from torch import Tensor

    from heedful.attention import Look
    from heedful.models.seq2seq import AnySeq2Seq
    from heedful.text.tokenizer import Tokenizer

START, END = "<s>", "</s>"
LIKELIEST = 5  # pieces of each place that are told
NEVER = [PAD, UNK, BOS]  # are not written

Head = tuple[Kind, int, int]
"""Kind of attention, layer and head, both from 1."""
Heads = Collection[Head] | Literal["all"]


def attend(
    model: AnySeq2Seq,
    tokenizers: tuple[Tokenizer, Tokenizer],
    source: str,
    ids: tuple[Sequence[int], Sequence[int]],
    *,
    vectors: Heads = (),
    search: tuple[Node, ...] = (),
    summary: str = "",
    languages: tuple[str, str] = ("", ""),
) -> Record:
    """Teacher-forced: while each target piece is predicted, where does the model look?

    ids are those of the source, without an end mark, and of all that was written, with one unless
    it came to no end. A query of the decoder is labelled with the piece that it is about to write.
    `vectors` are the heads whose queries, keys and values are kept too.
    """
    import torch

    from heedful.batches.batch import Batch, pad_sources

    _check_heads(vectors)

    of_source, of_target = tokenizers
    source_ids, written = ids
    device = next(model.parameters()).device
    target_in, target_out = torch.tensor([[BOS, *written[:-1]], written])[:, None]
    batch = Batch(*pad_sources([source_ids]), target_in, target_out, len(written)).to(device)
    sources = (*of_source.pieces(list(source_ids)), END)
    targets = tuple(of_target.vocabulary[i] for i in written)
    keeper = _Keeper(sources, targets, vectors)
    with torch.inference_mode():
        memory = model.encode(batch.source, batch.source_mask, record=keeper)
        hidden = model.decode(batch.target_in, memory, record=keeper)
        logits = model.output(hidden)[0].float()  # (T, V)
        logits[:, NEVER] = -math.inf
    if not keeper.seen:
        from heedful.see.recording.saliency import saliency

        weights = saliency(model, batch)
        keeper.seen.append(Attention("saliency", 1, _array(weights), targets, sources))
    keeper.check_vectors()
    return Record(
        source,
        of_target.decode(written),  # a mark says nothing
        sources,
        targets,
        tuple(keeper.seen),
        _predictions(logits.softmax(-1), batch.target_out[0], of_target),
        search,
        summary,
        tuple(written),
        languages,
    )


def _check_heads(vectors: Any) -> None:
    """Raises InputError unless they are heads, whether there are such or not."""
    if vectors == "all":
        return
    are_several = isinstance(vectors, Collection) and not isinstance(vectors, str)
    if not are_several or not all(
        isinstance(head, tuple) and [type(part) for part in head] == [str, int, int]
        for head in vectors
    ):
        raise InputError(
            f'got vectors={vectors!r}, wanted "all" or heads (kind, layer, head): [("cross", 2, 1)]'
        )


class _Keeper:
    """Takes every Look, and keeps it without torch."""

    def __init__(self, sources: tuple[str, ...], targets: tuple[str, ...], vectors: Heads) -> None:
        written = (START, *targets[:-1])
        self.seen: list[Attention] = []
        self._keeps_all = vectors == "all"
        self._vectors = set() if vectors == "all" else set(vectors)
        self._labels = {
            "encoder": (sources, sources),
            "decoder": (targets, written),
            "cross": (targets, sources),
        }

    def __call__(self, kind: Any, layer: int, look: Look) -> None:
        import torch

        queries, keys = self._labels[kind]
        allowed = torch.ones_like(look.weights, dtype=torch.bool)
        if look.mask is not None:
            allowed = allowed & look.mask
        working = Working(
            look.score,
            _array(look.scores * look.divisor)[0],
            look.divisor,
            allowed[0, 0].cpu().numpy(),
            _array(look.outcome)[0],
            look.made_by,
            None if look.joined is None else _array(look.joined)[0],
            None if look.factor is None else _array(look.factor)[0, 0],
            {
                head: Vectors(*(_array(part[0, head - 1]) for part in _parts(look)))
                for head in range(1, look.weights.shape[1] + 1)
                if self._keeps_all or (kind, layer, head) in self._vectors
            },
        )
        self.seen.append(Attention(kind, layer, _array(look.weights)[0], queries, keys, working))

    def check_vectors(self) -> None:
        """Raises InputError if a head was asked for that there is not."""
        there = {(a.kind, a.layer, h + 1) for a in self.seen for h in range(a.n_heads)}
        for kind, layer, head in self._vectors - there:
            known = ", ".join(f"{a.name} with {a.n_heads}" for a in self.seen)
            raise InputError(f"there is no head {head} of {kind} {layer}; there are: {known}")


def _parts(look: Look) -> tuple[Tensor, Tensor, Tensor]:
    return look.queries, look.keys, look.values


def _array(tensor: Tensor) -> Any:
    return tensor.float().cpu().numpy()


def _predictions(
    chances: Tensor, written: Tensor, tokenizer: Tokenizer
) -> tuple[tuple[Candidate, ...], ...]:
    """chances (T, V), written (T,)."""
    best = chances.topk(min(LIKELIEST, chances.shape[1])).indices.tolist()
    found = []
    for row, ids, token in zip(chances, best, written.tolist(), strict=True):
        ids = ids if token in ids else [*ids, token]
        found.append(tuple(Candidate(tokenizer.vocabulary[i], i, float(row[i])) for i in ids))
    return tuple(found)
