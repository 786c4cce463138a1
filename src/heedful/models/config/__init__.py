"""The settings of each model, and the sizes by name. Needs no torch."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Tag

from heedful.models.config.base import ModelSettings, Tie
from heedful.models.config.conv import ConvConfig
from heedful.models.config.recurrent import BahdanauConfig, LuongConfig, RnnConfig
from heedful.models.config.transformer import TransformerConfig

__all__ = [
    "KINDS",
    "NOT_KINDS",
    "PRESETS",
    "SIZES",
    "USUAL_KIND",
    "BahdanauConfig",
    "ConvConfig",
    "LuongConfig",
    "ModelConfig",
    "ModelSettings",
    "RnnConfig",
    "Tie",
    "TransformerConfig",
    "kind_of",
]

USUAL_KIND = "transformer"


def kind_of(settings: Any) -> str:
    """Which model some settings are for, be they plain data or a config."""
    if isinstance(settings, dict):
        return str(settings.get("kind", USUAL_KIND))
    return str(getattr(settings, "kind", USUAL_KIND))


ModelConfig = Annotated[
    Annotated[RnnConfig, Tag("rnn")]
    | Annotated[BahdanauConfig, Tag("bahdanau")]
    | Annotated[LuongConfig, Tag("luong")]
    | Annotated[ConvConfig, Tag("conv")]
    | Annotated[TransformerConfig, Tag("transformer")],
    Discriminator(kind_of),
]
"""`[model]`: its `kind` says which."""

KINDS: dict[str, type[ModelSettings]] = {
    "rnn": RnnConfig,
    "bahdanau": BahdanauConfig,
    "luong": LuongConfig,
    "conv": ConvConfig,
    "transformer": TransformerConfig,
}

NOT_KINDS = {
    cell: f"{cell} is a cell: take rnn, with --set model.cell={cell}" for cell in ("lstm", "gru")
}
"""What look like names of models, and how to ask for them."""

PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "rnn": {
        "tiny": {"n_layers": 2, "d_model": 176},
        "small": {"n_layers": 2, "d_model": 432},
    },
    "bahdanau": {
        "tiny": {"n_layers": 1, "d_model": 168},
        "small": {"n_layers": 1, "d_model": 408},
    },
    "luong": {
        "tiny": {"n_layers": 2, "d_model": 160},
        "small": {"n_layers": 2, "d_model": 400},
    },
    "conv": {
        "tiny": {"n_layers": 4, "d_model": 144, "width": 3},
        "small": {"n_layers": 4, "d_model": 344, "width": 3},
    },
    "transformer": {
        "tiny": {"n_layers": 4, "d_model": 128, "d_ff": 256, "n_heads": 4},
        "small": {"n_layers": 4, "d_model": 256, "d_ff": 1024, "n_heads": 4},
        "base": {"n_layers": 6, "d_model": 512, "d_ff": 2048, "n_heads": 8},
        "big": {"n_layers": 6, "d_model": 1024, "d_ff": 4096, "n_heads": 16, "dropout": 0.3},
    },
}
"""Sizes by name: the Transformer's base and big are those of Table 3 of its paper, tiny is that of
Wu et al. 2021; the others' tiny and small have about as many weights as its own."""

_BELOW_TINY: dict[str, list[dict[str, Any]]] = {
    "rnn": [{"n_layers": 1, "d_model": 64}, {"n_layers": 1, "d_model": 112}],
    "bahdanau": [{"n_layers": 1, "d_model": 64}, {"n_layers": 1, "d_model": 112}],
    "luong": [{"n_layers": 1, "d_model": 64}, {"n_layers": 1, "d_model": 112}],
    "conv": [
        {"n_layers": 1, "d_model": 72, "width": 3},
        {"n_layers": 2, "d_model": 72, "width": 3},
        {"n_layers": 2, "d_model": 144, "width": 3},
    ],
    "transformer": [
        {"n_layers": 1, "d_model": 64, "d_ff": 128, "n_heads": 4},
        {"n_layers": 2, "d_model": 64, "d_ff": 128, "n_heads": 4},
        {"n_layers": 1, "d_model": 128, "d_ff": 256, "n_heads": 4},
        {"n_layers": 2, "d_model": 128, "d_ff": 256, "n_heads": 4},
    ],
}

SIZES: dict[str, list[dict[str, Any]]] = {
    kind: [*_BELOW_TINY[kind], *named.values()] for kind, named in PRESETS.items()
}
"""The sizes that a budget chooses among, from the fewest weights to the most."""
