"""The networks of an exported folder as a model of heedful's own, so that its search runs them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import Tensor, nn

from heedful.models.seq2seq import Output, Record, Seq2Seq, chosen, shared


@dataclass(frozen=True)
class OnnxMemory:
    """What the encoder found."""

    states: Tensor  # (B, S, d_model)
    mask: Tensor  # (B, S)


@dataclass(frozen=True)
class OnnxState:
    """What the decoder keeps, by the names under which it takes it back."""

    memory: OnnxMemory
    kept: dict[str, Tensor]  # each (N, k, H, M, d_k); empty before the first step

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> OnnxState:
        """See State.select."""
        memory = OnnxMemory(
            shared(self.memory.states, sentences), shared(self.memory.mask, sentences)
        )
        return OnnxState(memory, {k: chosen(v, parents, sentences) for k, v in self.kept.items()})


class OnnxModel(Seq2Seq[OnnxMemory, OnnxState]):
    """Its "hidden states" are logits already."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.encoder = _session(folder / "onnx" / "encoder_model.onnx")
        self.decoder = _session(folder / "onnx" / "decoder_model_merged.onnx")
        inputs = self.decoder.get_inputs()
        self._sizes = {i.name: i.shape for i in inputs if i.name.startswith("past_key_values")}
        vocabulary = self.decoder.get_outputs()[0].shape[2]
        self.output = Output(nn.Parameter(torch.eye(vocabulary)))

    def encode(self, source: Tensor, mask: Tensor, record: Record | None = None) -> OnnxMemory:
        feeds = {"input_ids": source.numpy(), "attention_mask": mask.long().numpy()}
        return OnnxMemory(torch.from_numpy(self.encoder.run(None, feeds)[0]), mask)

    def decode(self, target: Tensor, memory: OnnxMemory, record: Record | None = None) -> Tensor:
        return self.run(target, memory, {})[0]

    def start(self, memory: OnnxMemory) -> OnnxState:
        return OnnxState(memory, {})

    def step(self, tokens: Tensor, state: OnnxState) -> tuple[Tensor, OnnxState]:
        n, k = tokens.shape
        memory = OnnxMemory(
            state.memory.states.repeat_interleave(k, 0), state.memory.mask.repeat_interleave(k, 0)
        )
        kept = {name: tensor.flatten(0, 1) for name, tensor in state.kept.items()}
        logits, kept = self.run(tokens.reshape(n * k, 1), memory, kept)
        kept = {name: tensor.reshape(n, k, *tensor.shape[1:]) for name, tensor in kept.items()}
        return logits.reshape(n, k, -1), OnnxState(state.memory, kept)

    def run(
        self, target: Tensor, memory: OnnxMemory, kept: dict[str, Tensor]
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """target (B, T), behind what was kept -> logits (B, T, vocabulary), and what to keep."""
        batch = len(target)
        feeds = {
            "input_ids": target.numpy(),
            "encoder_hidden_states": memory.states.numpy(),
            "encoder_attention_mask": memory.mask.long().numpy(),
            "use_cache_branch": np.array([bool(kept)]),
        }
        for name, (_, heads, _, width) in self._sizes.items():
            nothing = np.zeros((batch, heads, 0, width), np.float32)
            feeds[name] = kept[name].contiguous().numpy() if kept else nothing
        logits, *present = map(torch.from_numpy, self.decoder.run(None, feeds))
        return logits, dict(zip(self._sizes, present, strict=True))


def _session(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options)
