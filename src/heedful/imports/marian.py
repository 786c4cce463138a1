"""`heedful import`: a MarianMT model of Hugging Face's transformers, as OPUS-MT's are.

What exports/huggingface.py does, the other way round: Marian's sinusoids stand in another order,
all sines, then all cosines, so every weight is put into the order that heedful's have. The words
are numbered anew, behind heedful's four marks.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.decoding.config import DecodingConfig
from heedful.errors import InputError, ModelFolderError
from heedful.files import new_folder
from heedful.model_folder.card import Card, save_card
from heedful.model_folder.weights import WEIGHTS, digest_of
from heedful.models.config import TransformerConfig
from heedful.text.config import TextConfig
from heedful.text.model_file import renumbered, scores_of_pieces
from heedful.text.sides import save_sides
from heedful.text.tokenizer import Tokenizer

Array = NDArray[np.float32]
ACTIVATIONS = {"relu": "relu", "swish": "swish", "silu": "swish", "gelu": "gelu"}
NEVER = -1e9  # added to the logit of what Marian has no word for
MOST_POSITIONS = 512
UNSAFE = ("pytorch_model.bin", "pytorch_model.bin.index.json")


def import_marian(folder: Path, out: Path) -> Path:
    """Writes a model folder; says where."""
    if out.exists():
        raise InputError(f"{out} is there already: choose another --out, or move it away")
    config = _json(folder / "config.json")
    _check(folder, config)
    words = _Words(folder, config)
    weights = _read_weights(folder)
    try:
        with new_folder(out) as partial:
            _write(partial, config, words, weights, _generation(folder))
    except KeyError as error:
        raise ModelFolderError(f"{folder} lacks {error}: copy the model again") from None
    print(f"{folder} is now in {out}")
    return out


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path} is missing: a folder of a MarianMT model is wanted, with config.json, "
            f"model.safetensors, vocab.json, source.spm and target.spm"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: an object is wanted")
    return content


def _check(folder: Path, config: dict[str, Any]) -> None:
    """Refuses what heedful cannot express."""
    same = ("layers", "attention_heads", "ffn_dim")
    faults = [
        f"{name} differs between encoder and decoder"
        for name in same
        if config.get(f"encoder_{name}") != config.get(f"decoder_{name}")
    ]
    wanted = {
        "model_type": "marian", "normalize_before": False, "normalize_embedding": False,
        "scale_embedding": True, "static_position_embeddings": True,
    }  # fmt: skip
    faults += [
        f"{name} = {config[name]!r}, {value!r} is wanted"
        for name, value in wanted.items()
        if config.get(name, value) != value
    ]
    if config.get("activation_function") not in ACTIVATIONS:
        faults.append(f"activation_function = {config.get('activation_function')!r} is not known")
    if faults:
        raise InputError(f"{folder} cannot be imported: {'; '.join(faults)}")


def _generation(folder: Path) -> dict[str, Any]:
    path = folder / "generation_config.json"
    return _json(path) if path.exists() else {}


def _read_weights(folder: Path) -> dict[str, Array]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    path = folder / WEIGHTS
    if not path.exists():
        unsafe = [name for name in UNSAFE if (folder / name).exists()]
        hint = (
            f"; {unsafe[0]} is a pickle, which can run programs, and is not opened: save it as "
            f"safetensors with MarianMTModel.from_pretrained(…).save_pretrained(…)"
            if unsafe
            else ""
        )
        raise InputError(f"{folder} has no {WEIGHTS}{hint}")
    try:
        return {name: array.astype(np.float32) for name, array in load_file(path).items()}
    except (OSError, SafetensorError, KeyError, TypeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


class _Words:
    """Whose rows are whose: heedful's marks, then all other words in Marian's order, then pieces
    of the tokenizers that Marian has no word for, and takes for unknown."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        ids: dict[str, int] = _json(folder / "vocab.json")
        self._pad = int(config["pad_token_id"])
        self._start = int(config["decoder_start_token_id"])
        self._end = int(config["eos_token_id"])
        self._unknown = ids.get("<unk>", 1)
        marks = {self._pad, self._start, self._end, self._unknown}
        models = [self._model(folder / name) for name in ("source.spm", "target.spm")]
        self._words = [w for w, i in sorted(ids.items(), key=lambda x: x[1]) if i not in marks]
        known = set(self._words)
        pieces = dict.fromkeys(piece for model in models for piece in scores_of_pieces(model))
        strange = [piece for piece in pieces if piece not in known]
        self.strange = len(strange)
        self.rows = [self._pad, self._unknown, self._start, self._end]
        self.rows += [ids[word] for word in self._words] + [self._unknown] * len(strange)
        self.source, self.target = (
            Tokenizer(renumbered(model, [*self._words, *strange])) for model in models
        )

    @staticmethod
    def _model(path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error}") from None

    def bias(self, of_marian: Array) -> Array:
        """Of the logits. What is no word of Marian's is never written."""
        bias: Array = of_marian.reshape(-1)[self.rows].copy()
        bias[len(bias) - self.strange :] = NEVER
        return bias


def _write(
    folder: Path,
    config: dict[str, Any],
    words: _Words,
    weights: dict[str, Array],
    generation: dict[str, Any],
) -> None:
    from safetensors.numpy import save_file

    model = TransformerConfig(
        n_layers=config["encoder_layers"],
        d_model=config["d_model"],
        d_ff=config["encoder_ffn_dim"],
        n_heads=config["encoder_attention_heads"],
        dropout=config.get("dropout", 0.1),
        activation=ACTIVATIONS[config["activation_function"]],
        output_bias=True,
        tie="three",
    )
    arrays = _arrays(model, weights, words)
    save_file({name: np.ascontiguousarray(a) for name, a in arrays.items()}, folder / WEIGHTS)
    save_sides(folder, words.source, words.target)
    langs = config.get("tokenizer", {})
    n = len(words.rows)
    positions = min(MOST_POSITIONS, config.get("max_position_embeddings", MOST_POSITIONS))
    card = Card(
        text=TextConfig(
            joint=False, source_lang=langs.get("source"), target_lang=langs.get("target")
        ),
        model=model,
        decoding=DecodingConfig(
            beam=generation.get("num_beams", config.get("num_beams", 4)),
            alpha=generation.get("length_penalty", config.get("length_penalty", 1.0)),
        ),
        source_vocabulary=n,
        target_vocabulary=n,
        max_length=positions - 1,
        length_ratio=2.0,
        tokenizers={"source": words.source.digest, "target": words.target.digest},
        weights_digest=digest_of(folder / WEIGHTS),
        training={"imported": "MarianMT", "finished": True},
    )
    save_card(folder, card)


def _arrays(model: TransformerConfig, weights: dict[str, Array], words: _Words) -> dict[str, Array]:
    order = [*range(0, model.d_model, 2), *range(1, model.d_model, 2)]
    place = np.argsort(order)  # of heedful's n-th element in Marian's vectors
    table = weights["model.shared.weight"]
    bias = weights.get("final_logits_bias", np.zeros(len(table), np.float32))
    found = {
        "embed_source.table": table[words.rows][:, place],
        "output.bias": words.bias(bias),
    }
    for n in range(model.n_layers):
        for side, frames in (("encoder", (0, None, 1)), ("decoder", (0, 1, 2))):
            found |= _layer(weights, f"model.{side}.layers.{n}", f"{side}.{n}", frames, place)
    return found


def _layer(
    weights: dict[str, Array],
    theirs: str,
    ours: str,
    frames: tuple[int, int | None, int],
    place: NDArray[np.intp],
) -> dict[str, Array]:
    first, cross, last = frames
    found = _attention(weights, f"{theirs}.self_attn", f"{ours}.self_attention", place)
    found |= _out(weights, f"{theirs}.self_attn_layer_norm", f"{ours}.frames.{first}.norm", place)
    if cross is not None:
        found |= _attention(weights, f"{theirs}.encoder_attn", f"{ours}.cross_attention", place)
        norm = f"{theirs}.encoder_attn_layer_norm"
        found |= _out(weights, norm, f"{ours}.frames.{cross}.norm", place)
    found |= {
        f"{ours}.feed_forward.widen.weight": weights[f"{theirs}.fc1.weight"][:, place],
        f"{ours}.feed_forward.widen.bias": weights[f"{theirs}.fc1.bias"],
    }
    found |= _out(weights, f"{theirs}.fc2", f"{ours}.feed_forward.narrow", place)
    return found | _out(weights, f"{theirs}.final_layer_norm", f"{ours}.frames.{last}.norm", place)


def _attention(
    weights: dict[str, Array], theirs: str, ours: str, place: NDArray[np.intp]
) -> dict[str, Array]:
    """Queries, keys and values in one matrix."""
    names = [f"{theirs}.{part}_proj" for part in "qkv"]
    return {
        f"{ours}.project.weight": np.concatenate([weights[f"{n}.weight"] for n in names])[:, place],
        f"{ours}.project.bias": np.concatenate([weights[f"{n}.bias"] for n in names]),
    } | _out(weights, f"{theirs}.out_proj", f"{ours}.join", place)


def _out(
    weights: dict[str, Array], theirs: str, ours: str, place: NDArray[np.intp]
) -> dict[str, Array]:
    """What d_model comes out of, as it does of a norm."""
    parts = ("weight", "bias")
    return {f"{ours}.{part}": weights[f"{theirs}.{part}"][place] for part in parts}
