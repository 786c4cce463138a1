"""To ONNX: an encoder and a decoder, for Hugging Face's Optimum and transformers.js, or for ONNX
Runtime alone.

The decoder is one network for the first step and for all others, "merged" as these programs call
it. It takes the keys and values of what was written before, of which there may be none, and hands
out those of all that is written now. Those of the source it computes in the first step, and is
handed in later ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from heedful.errors import RecipeError
from heedful.exports.architectures import MARIAN
from heedful.exports.fast_tokenizer import fast_tokenizer
from heedful.exports.huggingface_settings import write_json, write_settings
from heedful.exports.onnx_file import BOOL, FLOAT, INT64, Graph, onnx_file
from heedful.exports.onnx_parts import Parts
from heedful.exports.stored import StoredModel

FOLDER = "onnx"  # where transformers.js looks
LARGEST = 2**31  # bytes: what a protocol buffer can be

KINDS = ("decoder.key", "decoder.value", "encoder.key", "encoder.value")
"""What is kept of each layer: of what was written, and of the source."""


def write_onnx(stored: StoredModel, folder: Path) -> None:
    """Writes the two networks, settings and tokenizers into an existing folder."""
    (folder / FOLDER).mkdir()
    for name, make in (("encoder_model", _encoder), ("decoder_model_merged", _decoder)):
        content = onnx_file(make(stored))
        if len(content) >= LARGEST:
            raise RecipeError(
                f"{name}.onnx would have {len(content):,} bytes, and such a file can have "
                f"{LARGEST - 1:,}: the model is too large for it"
            )
        (folder / FOLDER / f"{name}.onnx").write_bytes(content)
    more = {
        "vocab_size": stored.card.target_vocabulary,  # they ask for no other
        "transformers.js_config": {"dtype": "fp32"},  # or it looks for fewer bits in a browser
    }
    write_settings(stored, folder, MARIAN, **more)
    source, target = stored.source_tokenizer, stored.target_tokenizer
    fast = fast_tokenizer(source) if source.digest == target.digest else None
    if fast is not None:
        write_json(folder / "tokenizer.json", fast)


def _encoder(stored: StoredModel) -> Graph:
    """ids and mask (B, S) -> states (B, S, d_model)."""
    graph = Graph("encoder")
    ids = graph.input("input_ids", INT64, ["B", "S"])
    mask = graph.input("attention_mask", INT64, ["B", "S"])
    parts = Parts(graph, stored)
    bias = parts.padding_bias(mask)
    x = parts.embed(ids, "source", first=graph.whole(0))
    for n in range(stored.model.n_layers):
        x = _encoder_layer(parts, f"encoder.{n}", x, bias)
    graph.node("Identity", parts.last_norm(x, "encoder_norm"), gives="last_hidden_state")
    graph.output("last_hidden_state", FLOAT, ["B", "S", stored.model.d_model])
    return graph


def _encoder_layer(parts: Parts, name: str, x: str, bias: str) -> str:
    def look_around(x: str) -> str:
        attention = f"{name}.self_attention"
        return parts.look(attention, *parts.project_all(x, attention), bias)

    return parts.layer(x, name, look_around, partial(parts.feed_forward, name=name))


def _decoder(stored: StoredModel) -> Graph:
    """The next ids (B, T), the encoder's states and mask, and what was kept before -> logits
    (B, T, vocabulary), and what is to be kept."""
    graph = Graph("decoder")
    mask = graph.input("encoder_attention_mask", INT64, ["B", "S"])
    ids = graph.input("input_ids", INT64, ["B", "T"])
    graph.input("encoder_hidden_states", FLOAT, ["B", "S", stored.model.d_model])
    for n in range(stored.model.n_layers):
        for kind in KINDS:
            graph.input(_past(n, kind), FLOAT, _kept(stored, kind, "P", "K"))
    graph.input("use_cache_branch", BOOL, [1])
    _look_at_source_once(graph, stored)
    parts = Parts(graph, stored)
    first = graph.node("Shape", _past(0, "decoder.key"), start=2, end=3)
    x = parts.embed(ids, "target", first)
    biases = parts.causal_bias(first, parts.end(ids, first)), parts.padding_bias(mask)
    for n in range(stored.model.n_layers):
        x = _decoder_layer(parts, n, x, *biases)
    parts.logits(parts.last_norm(x, "decoder_norm"), gives="logits")
    graph.output("logits", FLOAT, ["B", "T", len(stored.target_tokenizer)])
    for n in range(stored.model.n_layers):
        for kind in KINDS:
            graph.output(_present(n, kind), FLOAT, _kept(stored, kind, "P + T", "S"))
    return graph


def _decoder_layer(parts: Parts, n: int, x: str, own_bias: str, source_bias: str) -> str:
    name = f"decoder.{n}"

    def look_back(x: str) -> str:
        query, *new = parts.project_all(x, f"{name}.self_attention")
        key, value = (
            parts.graph.node("Concat", _past(n, kind), added, gives=_present(n, kind), axis=2)
            for kind, added in zip(KINDS[:2], new, strict=True)
        )
        return parts.look(f"{name}.self_attention", query, key, value, own_bias)

    def look_at_source(x: str) -> str:
        query = parts.queries(x, f"{name}.cross_attention")
        key, value = (_present(n, kind) for kind in KINDS[2:])
        return parts.look(f"{name}.cross_attention", query, key, value, source_bias)

    feed_forward = partial(parts.feed_forward, name=name)
    return parts.layer(x, name, look_back, look_at_source, feed_forward)


def _look_at_source_once(graph: Graph, stored: StoredModel) -> None:
    """The keys and values of the source, for every layer: handed in, or computed."""
    kept, computed = Graph("kept"), Graph("computed")
    parts = Parts(computed, stored)
    names = []
    for n in range(stored.model.n_layers):
        made = parts.keys_and_values("encoder_hidden_states", f"decoder.{n}.cross_attention")
        for kind, name in zip(KINDS[2:], made, strict=True):
            shape = _kept(stored, kind, "P", "S")
            computed.output(name, FLOAT, shape)
            kept.output(kept.node("Identity", _past(n, kind)), FLOAT, shape)
            names.append(_present(n, kind))
    graph.choose("use_cache_branch", kept, computed, names)


def _past(n: int, kind: str) -> str:
    return f"past_key_values.{n}.{kind}"


def _present(n: int, kind: str) -> str:
    return f"present.{n}.{kind}"


def _kept(stored: StoredModel, kind: str, written: str, source: str) -> Sequence[int | str]:
    model = stored.model
    length = written if kind.startswith("decoder") else source
    return ["B", model.n_heads, length, model.head_key_width]
