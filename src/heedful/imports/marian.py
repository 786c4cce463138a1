"""`heedful import`: a MarianMT model of Hugging Face's transformers, as OPUS-MT's are, or a Pegasus
model that heedful exported.

What exports/huggingface.py does, the other way round.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pydantic import ValidationError

from heedful.decoding.config import DecodingConfig
from heedful.errors import InputError, ModelFolderError
from heedful.files import new_folder
from heedful.imports.arrays import Renaming
from heedful.imports.folder import (
    ACTIVATIONS,
    MarianSettings,
    read_languages,
    read_settings,
)
from heedful.imports.search import Search
from heedful.imports.weights import Array, MarianWeights
from heedful.imports.words import Words
from heedful.model_folder.card import Card, save_card
from heedful.model_folder.weights import WEIGHTS, digest_of
from heedful.models.config import TransformerConfig
from heedful.settings import explain
from heedful.text.config import TextConfig
from heedful.text.sides import save_sides
from heedful.text.special import FIRST_WORD


def import_marian(folder: Path, out: Path, *, target_token: str | None = None) -> Path:
    """Writes a model folder; says where. `target_token` names the language that a model of several
    is to write."""
    if out.exists():
        raise InputError(f"{out} is there already: choose another --out, or move it away")
    settings = read_settings(folder)
    words = Words(folder, settings, target_token)
    weights = MarianWeights(folder)
    arrays = _arrays(Renaming(weights, settings), words)
    weights.check_all_taken()
    source, target = read_languages(folder)
    if words.chosen:
        target = words.chosen.strip("<>")
    try:
        model = _model(settings)
    except ValidationError as error:
        raise InputError(f"{folder} cannot be imported: {explain(error)}") from None
    search = Search(folder)
    decoding = search.settings(settings.longest)
    left_out = search.left_out(words.rows[:FIRST_WORD])
    text = TextConfig(joint=False, source_lang=source, target_lang=target)
    try:
        with new_folder(out) as partial:
            _write(partial, settings, words, arrays, (text, model, decoding))
    except OSError as error:
        raise ModelFolderError(f"{out} could not be written: {error}") from error
    print(f"{folder} is now in {out}")
    _tell(words, left_out)
    return out


def _tell(words: Words, left_out: list[str]) -> None:
    """What its user should know."""
    if left_out:
        print(
            f"heedful's searches do not have {', '.join(left_out)}, which its own settings ask for"
        )
    if words.languages and not words.chosen:
        some = " or ".join(words.languages[:2])
        print(
            f"It writes several languages: begin each sentence with one's word, such as {some}, "
            f"or import it with --target-token"
        )


def _model(settings: MarianSettings) -> TransformerConfig:
    return TransformerConfig(
        n_layers=settings.encoder_layers,
        d_model=settings.d_model,
        d_ff=settings.encoder_ffn_dim,
        n_heads=settings.encoder_attention_heads,
        pre_norm=settings.pre_norm,
        dropout=settings.dropout,
        activation=ACTIVATIONS[settings.activation_function],
        output_bias=True,
        tie="three",
    )


def _arrays(renaming: Renaming, words: Words) -> dict[str, Array]:
    """All weights, by heedful's names."""
    found = {
        "embed_source.table": renaming.table()[words.rows],
        "output.bias": words.bias(renaming.bias()),
    } | renaming.layers()
    return {name: np.ascontiguousarray(array) for name, array in found.items()}


def _write(
    folder: Path,
    settings: MarianSettings,
    words: Words,
    arrays: dict[str, Array],
    sections: tuple[TextConfig, TransformerConfig, DecodingConfig],
) -> None:
    from safetensors.numpy import save_file

    save_file(arrays, folder / WEIGHTS)
    save_sides(folder, words.source, words.target)
    text, model, decoding = sections
    card = Card(
        text=text,
        model=model,
        decoding=decoding,
        source_vocabulary=len(words.rows),
        target_vocabulary=len(words.rows),
        max_length=settings.longest - 1,
        length_ratio=2.0,
        tokenizers={"source": words.source.digest, "target": words.target.digest},
        weights_digest=digest_of(folder / WEIGHTS),
        training={"imported": settings.architecture.name, "finished": True},
    )
    save_card(folder, card)
