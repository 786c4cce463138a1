"""The Transformer: equal to torch's, blind to padding and future, step by step as at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from heedful.attention import Look
from heedful.models.build import build
from heedful.models.config import PRESETS, TransformerConfig
from heedful.models.transformer import Transformer

SIZES = {"n_layers": 3, "d_model": 22, "d_ff": 37, "n_heads": 2, "dropout": 0.0}
VOCABULARIES = {"source_vocabulary": 31, "target_vocabulary": 29, "max_length": 19}


def make(**settings: Any) -> Transformer:
    torch.manual_seed(11)
    model = build(TransformerConfig(**SIZES | settings), **VOCABULARIES)
    assert isinstance(model, Transformer)
    return model


def batch() -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(13)
    source, target = torch.randint(4, 29, (5, 13)), torch.randint(4, 29, (5, 7))
    lengths = torch.tensor([13, 2, 7, 11, 5])
    return source, torch.arange(13) < lengths[:, None], target


THEIR_NAMES = {
    "encoder_norm": "encoder.norm",
    "decoder_norm": "decoder.norm",
    "self_attention": "self_attn",
    "cross_attention": "multihead_attn",
    "project.": "in_proj_",
    "join": "out_proj",
    "feed_forward.widen": "linear1",
    "feed_forward.narrow": "linear2",
    "frames.0.norm": "norm1",
    "frames.1.norm": "norm2",
    "frames.2.norm": "norm3",
}


def renamed(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """By the names that torch.nn.Transformer has for them; it knows no tables."""
    found = {}
    for name, tensor in tensors.items():
        if not name.endswith("table"):
            new = re.sub(r"^(encoder|decoder)\.", r"\1.layers.", name)
            for ours, theirs in THEIR_NAMES.items():
                new = new.replace(ours, theirs)
            found[new] = tensor
    return found


def torchs(model: Transformer, pre_norm: bool) -> nn.Transformer:
    """torch.nn.Transformer with the same weights, all of them."""
    config: dict[str, Any] = {
        "d_model": 22, "nhead": 2, "dim_feedforward": 37, "dropout": 0.0,
        "batch_first": True, "norm_first": pre_norm,
    }  # fmt: skip
    norms = [nn.LayerNorm(22) if pre_norm else None for _ in range(2)]
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(**config), 3, norm=norms[0], enable_nested_tensor=False
    )
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**config), 3, norm=norms[1])
    reference = nn.Transformer(
        d_model=22, nhead=2, custom_encoder=encoder, custom_decoder=decoder, batch_first=True
    )
    reference.load_state_dict(renamed(dict(model.named_parameters())))
    return reference


def gradients(model: nn.Module) -> dict[str, Tensor]:
    """Of every weight that has one."""
    return {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("pre_norm", [False, True])
def test_forward_and_all_gradients_equal_torchs(pre_norm: bool) -> None:
    model = make(pre_norm=pre_norm, tie="none")
    with torch.no_grad():  # no norm and no bias as it was born: one could stand for another
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.1)
    reference = torchs(model, pre_norm)
    source, mask, target = batch()
    ours = model.decode(target, model.encode(source, mask))

    embedded = model.embed_source(source) + model.source_positions(0, 13)
    read = model.embed_target(target) + model.target_positions(0, 7)
    theirs = reference(
        embedded,
        read,
        tgt_mask=nn.Transformer.generate_square_subsequent_mask(7, dtype=torch.bool).bool(),
        src_key_padding_mask=~mask,
        memory_key_padding_mask=~mask,
    )
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)

    direction = torch.randn_like(ours)
    torch.autograd.backward((ours * direction).sum())
    mine = gradients(model)
    model.zero_grad()
    torch.autograd.backward((theirs * direction).sum())
    expected = gradients(reference)
    assert expected.keys() == dict(reference.named_parameters()).keys()
    torch.testing.assert_close(renamed(mine), expected, rtol=1e-3, atol=1e-4)
    tables = gradients(model)  # of their weights only these have one now
    assert tables.keys() == {"embed_source.table", "embed_target.table"}
    torch.testing.assert_close({name: mine[name] for name in tables}, tables, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("pre_norm", [False, True])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_padding_never_leaks(pre_norm: bool, positions: str) -> None:
    model = make(pre_norm=pre_norm, positions=positions).eval()
    source, mask, target = batch()
    before = model.decode(target, model.encode(source, mask))
    changed = torch.where(mask, source, (source + 5) % 29)
    assert not torch.equal(changed, source)
    after = model.decode(target, model.encode(changed, mask))
    torch.testing.assert_close(before, after, rtol=0, atol=0)


def test_a_sentence_does_not_see_its_neighbours() -> None:
    model = make().eval()
    source, mask, target = batch()
    together = model.decode(target, model.encode(source, mask))
    for i in range(5):
        n = int(mask[i].sum())
        alone = model.decode(
            target[i : i + 1], model.encode(source[i : i + 1, :n], mask[i : i + 1, :n])
        )
        torch.testing.assert_close(alone[0], together[i], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("moment", [1, 3, 6])
def test_the_future_never_leaks(moment: int) -> None:
    model = make().eval()
    source, mask, target = batch()
    memory = model.encode(source, mask)
    before = model.decode(target, memory)
    changed = target.clone()
    changed[:, moment:] = (changed[:, moment:] + 3) % 29
    after = model.decode(changed, memory)
    torch.testing.assert_close(before[:, :moment], after[:, :moment], rtol=0, atol=0)
    assert not torch.allclose(before[:, moment:], after[:, moment:])


@pytest.mark.parametrize(
    "settings",
    [{}, {"pre_norm": True}, {"positions": "learned"}, {"d_k": 5, "d_v": 3}],
    ids=str,
)
def test_step_by_step_equals_all_at_once(settings: dict[str, Any]) -> None:
    model = make(**settings).eval()
    source, mask, target = batch()
    memory = model.encode(source, mask)
    expected = model.decode(target, memory)
    state = model.start(memory)
    for position in range(7):
        hidden, state = model.step(target[:, position, None], state)
        torch.testing.assert_close(hidden[:, 0], expected[:, position], rtol=1e-4, atol=1e-5)


def test_a_state_is_a_value_whose_hypotheses_can_be_selected() -> None:
    model = make().eval()
    source, mask, target = batch()
    memory = model.encode(source, mask)
    _, state = model.step(target[:, 0, None], model.start(memory))
    two = state.select(torch.zeros(len(source), 2, dtype=torch.int64))  # of each, two alike
    written = torch.stack((target[:, 1], target[:, 2]), dim=1)
    hidden, after = model.step(written, two)
    sentences, parents = torch.tensor([3, 0]), torch.tensor([[1, 0, 1], [0, 0, 1]])
    tokens = target[sentences, 3, None].expand(-1, 3)
    picked, _ = model.step(tokens, after.select(parents, sentences))
    for i, sentence in enumerate(sentences.tolist()):
        for j, parent in enumerate(parents[i].tolist()):
            past = torch.tensor([[int(target[sentence, 0]), int(written[sentence, parent])]])
            line = torch.cat((past, tokens[i : i + 1, j : j + 1]), dim=1)
            one = model.encode(source[sentence, None], mask[sentence, None])
            expected = model.decode(line, one)[0, -1]
            torch.testing.assert_close(picked[i, j], expected, rtol=1e-4, atol=1e-5)
    again, _ = model.step(written, two)  # what was selected from is unharmed
    torch.testing.assert_close(again, hidden, rtol=0, atol=0)


@pytest.mark.parametrize(("tie", "tables"), [("three", 1), ("two", 2), ("none", 3)])
def test_tables_are_shared_as_asked(tie: str, tables: int) -> None:
    model = build(
        TransformerConfig(**SIZES | {"tie": tie}),
        source_vocabulary=31, target_vocabulary=31, max_length=19,
    )  # fmt: skip
    names = [name for name, _ in model.named_parameters() if name.endswith("table")]
    assert len(names) == tables
    assert isinstance(model, Transformer)
    assert (model.output.table is model.embed_target.table) == (tie != "none")
    assert (model.embed_source.table is model.embed_target.table) == (tie == "three")


def test_three_ways_need_one_vocabulary() -> None:
    with pytest.raises(ValueError, match="31 and 29"):
        make(tie="three")


def test_base_has_the_papers_parameter_count() -> None:
    """Table 3: 65 million, with a shared vocabulary of about 37,000."""
    with torch.device("meta"):
        model = build(
            TransformerConfig(**PRESETS["transformer"]["base"], tie="three"),
            source_vocabulary=37_000, target_vocabulary=37_000, max_length=100,
        )  # fmt: skip
    d, ff, n = 512, 2048, 6
    attention = 4 * (d * d + d)
    feed_forward = d * ff + ff + ff * d + d
    norm = 2 * d
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    count = sum(p.numel() for p in model.parameters())
    assert count == n * (encoder + decoder) + 37_000 * d
    assert 0.96 < count / 65e6 < 1.0  # the paper rounds, and its vocabulary is "about" that


def test_recording_names_every_attention_and_changes_nothing() -> None:
    model = make().eval()
    source, mask, target = batch()
    seen: dict[tuple[str, int], Tensor] = {}

    def keep(kind: str, layer: int, look: Look) -> None:
        seen[kind, layer] = look.weights

    plain = model.decode(target, model.encode(source, mask))
    recorded = model.decode(target, model.encode(source, mask, keep), keep)
    torch.testing.assert_close(plain, recorded)
    assert seen.keys() == {(k, n) for k in ("encoder", "decoder", "cross") for n in (1, 2, 3)}
    assert seen["cross", 2].shape == (5, 2, 7, 13)
    for weights in seen.values():
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
    assert (seen["cross", 1].masked_select(~mask[:, None, None]) == 0).all()
    assert (seen["decoder", 1].triu(1) == 0).all()


def test_dropout_is_where_the_paper_puts_it() -> None:
    """After each sub-layer and after embedding plus position: 2 · 3 + 3 · 3 + 1 places."""
    model = make(dropout=0.1)
    from heedful.layers import Dropout

    places = [name for name, part in model.named_modules() if isinstance(part, Dropout)]
    assert len(places) == 2 * 3 + 3 * 3 + 1
    assert all(part.p == 0.1 for part in model.modules() if isinstance(part, Dropout))
