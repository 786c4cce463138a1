from __future__ import annotations

from heedful.models.build import build
from heedful.models.config import TransformerConfig
from heedful.training.optimiser import matrices_of


def test_every_map_between_layers_is_found_and_no_table() -> None:
    config = TransformerConfig(
        n_layers=1, d_model=10, d_ff=23, n_heads=2, d_k=3, d_v=7, tie="two", positions="learned"
    )
    model = build(config, source_vocabulary=29, target_vocabulary=31, max_length=19)
    rows = {name: matrices_of(model).get(p) for name, p in model.named_parameters() if p.dim() == 2}
    attention = {"project.weight": [6, 6, 14], "join.weight": [10]}
    expected = {
        f"{place}.{name}": parts
        for place in (
            "encoder.0.self_attention", "decoder.0.self_attention", "decoder.0.cross_attention",
        )
        for name, parts in attention.items()
    }  # fmt: skip
    for side in ("encoder", "decoder"):
        expected |= {
            f"{side}.0.feed_forward.widen.weight": [23],
            f"{side}.0.feed_forward.narrow.weight": [10],
        }
    tables = {name for name, parts in rows.items() if parts is None}
    assert {name: parts for name, parts in rows.items() if parts is not None} == expected
    assert all(name.endswith("table") for name in tables)
    assert len(tables) == 4  # source, target; positions of both
