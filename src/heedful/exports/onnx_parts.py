"""The parts of a Transformer as nodes of ONNX: what layers/ and attention/ compute, said again.

B sentences of L positions look at M positions, with H heads. Names of nodes stand for tensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heedful.exports.expressible import positions
from heedful.exports.onnx_file import BOOL, Graph
from heedful.exports.stored import Array, Linear, StoredModel

NORM_EPSILON = 1e-5  # torch's
LOWEST = float(np.finfo(np.float32).min)
"""What is added to a score that may not count: its weight is then exactly 0."""


@dataclass(frozen=True)
class Parts:
    """They put their nodes into the graph, and the weights that these need."""

    graph: Graph
    stored: StoredModel

    def embed(self, ids: str, side: str, first: str) -> str:
        """Word vectors · √width + positions, from the position `first` on: ids (B, L) ->
        (B, L, d_model)."""
        node = self.graph.node
        table = self.table(side)
        x = node("Gather", self.graph.array(f"{side}_table", table), ids)
        x = node("Mul", x, self.graph.real(math.sqrt(table.shape[1])))
        project = self.stored.weights.get(f"embed_{side}.project.weight")
        if project is not None:  # words whose vectors have another width than d_model
            x = node("MatMul", x, self.graph.array(f"embed_{side}", project.T))
        places = self.graph.array(f"{side}_positions", self._positions(side))
        # To gather where there is nothing is an error; a slice would be short of some.
        return node("Add", x, node("Gather", places, self._numbers(first, self.end(ids, first))))

    def table(self, side: str) -> Array:
        """(vocabulary, width)"""
        return self.stored.source_table if side == "source" else self.stored.target_table

    def end(self, ids: str, first: str) -> str:
        """The position behind the last of the ids (B, L)."""
        return self.graph.node("Add", first, self.graph.node("Shape", ids, start=1, end=2))

    def padding_bias(self, mask: str) -> str:
        """mask (B, M), 1 = a word -> what is added to scores, (B, 1, 1, M)."""
        node = self.graph.node
        words = node("Unsqueeze", node("Cast", mask, to=BOOL), self.graph.whole(1, 2))
        return self._bias(words)

    def causal_bias(self, first: str, end: str) -> str:
        """Positions from `first` on look at themselves and at all before them -> (L, M)."""
        keys = self._numbers(self.graph.whole(0), end)
        queries = self.graph.node("Unsqueeze", self._numbers(first, end), self.graph.whole(1))
        return self._bias(self.graph.node("LessOrEqual", keys, queries))

    def layer(self, x: str, name: str, *sublayers: Callable[[str], str]) -> str:
        """Each of them in its residual frame: LayerNorm(x + f(x)), or x + f(LayerNorm(x))."""
        for n, sublayer in enumerate(sublayers):
            norm = f"{name}.frames.{n}.norm"
            if self.stored.model.pre_norm:
                x = self.graph.node("Add", x, sublayer(self.norm(x, norm)))
            else:
                x = self.norm(self.graph.node("Add", x, sublayer(x)), norm)
        return x

    def last_norm(self, x: str, name: str) -> str:
        """After pre-norm layers the sum has not been normalised; after the paper's it has."""
        return self.norm(x, name) if self.stored.model.pre_norm else x

    def norm(self, x: str, name: str) -> str:
        """Layer normalisation."""
        part = self.stored.linear(name)
        scale = self.graph.array(f"{name}.weight", part.weight)
        shift = self.graph.array(f"{name}.bias", part.bias)
        return self.graph.node("LayerNormalization", x, scale, shift, epsilon=NORM_EPSILON)

    def feed_forward(self, x: str, name: str) -> str:
        """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, or with another activation."""
        widen, narrow = f"{name}.feed_forward.widen", f"{name}.feed_forward.narrow"
        wide = self._activate(self.linear(x, widen, self.stored.linear(widen)))
        return self.linear(wide, narrow, self.stored.linear(narrow))

    def linear(self, x: str, name: str, part: Linear) -> str:
        """x W + b."""
        product = self.graph.node("MatMul", x, self.graph.array(f"{name}.weight", part.weight.T))
        return self.graph.node("Add", product, self.graph.array(f"{name}.bias", part.bias))

    def project_all(self, x: str, name: str) -> tuple[str, str, str]:
        """Queries, keys and values of a sequence that looks at itself, each (B, H, L, d_k)."""
        whole = self.linear(x, f"{name}.project", self.stored.linear(f"{name}.project"))
        query, key, value = self.graph.split(whole, [self.stored.model.d_model] * 3)
        return self.heads(query), self.heads(key), self.heads(value)

    def queries(self, x: str, name: str) -> str:
        """(B, L, d_model) -> (B, H, L, d_k)."""
        query, _, _ = self.stored.projections(name)
        return self.heads(self.linear(x, f"{name}.query", query))

    def keys_and_values(self, memory: str, name: str) -> tuple[str, str]:
        """(B, M, d_model) -> both (B, H, M, d_k)."""
        _, key, value = self.stored.projections(name)
        keys = self.heads(self.linear(memory, f"{name}.key", key))
        return keys, self.heads(self.linear(memory, f"{name}.value", value))

    def look(self, name: str, query: str, key: str, value: str, bias: str) -> str:
        """softmax(Q Kᵀ / √d_k + bias) V, and the heads joined -> (B, L, d_model)."""
        node = self.graph.node
        query = node("Div", query, self.graph.real(math.sqrt(self.stored.model.head_key_width)))
        scores = node("MatMul", query, node("Transpose", key, perm=[0, 1, 3, 2]))
        weights = node("Softmax", node("Add", scores, bias), axis=-1)
        context = node("Transpose", node("MatMul", weights, value), perm=[0, 2, 1, 3])
        side_by_side = node("Reshape", context, self.graph.whole(0, 0, -1))  # 0: as it was
        return self.linear(side_by_side, f"{name}.join", self.stored.linear(f"{name}.join"))

    def heads(self, x: str) -> str:
        """(B, L, H · d) -> (B, H, L, d)."""
        shape = self.graph.whole(0, 0, self.stored.model.n_heads, -1)
        return self.graph.node("Transpose", self.graph.node("Reshape", x, shape), perm=[0, 2, 1, 3])

    def logits(self, x: str, gives: str) -> None:
        """(B, L, d_model) -> (B, L, vocabulary), by a table that the target's words may share."""
        stored, node = self.stored, self.graph.node
        shared = stored.output_table is stored.target_table
        table = self.graph.array("target_table" if shared else "output_table", stored.output_table)
        product = node("MatMul", x, node("Transpose", table, perm=[1, 0]))
        if stored.output_bias is None:
            node("Identity", product, gives=gives)
        else:
            node("Add", product, self.graph.array("output_bias", stored.output_bias), gives=gives)

    def _activate(self, x: str) -> str:
        node, real = self.graph.node, self.graph.real
        match self.stored.model.activation:
            case "relu":
                return node("Relu", x)
            case "swish":  # x σ(x)
                return node("Mul", x, node("Sigmoid", x))
            case "gelu":  # x Φ(x)
                erf = node("Erf", node("Div", x, real(math.sqrt(2))))
                return node("Mul", x, node("Mul", node("Add", erf, real(1)), real(0.5)))

    def _positions(self, side: str) -> Array:
        """(positions, d_model)"""
        learned = self.stored.weights.get(f"{side}_positions.table")
        if learned is not None:
            return learned
        from heedful.layers.positions import sinusoids  # this loads torch

        table: Array = sinusoids(positions(self.stored.card), self.stored.model.d_model).numpy()
        return table

    def _numbers(self, first: str, end: str) -> str:
        """first, first + 1, … before the end."""
        node, one = self.graph.node, self.graph.array("one", np.array(1, np.int64))
        return node("Range", node("Squeeze", first), node("Squeeze", end), one)

    def _bias(self, allowed: str) -> str:
        return self.graph.node("Where", allowed, self.graph.real(0), self.graph.real(LOWEST))
