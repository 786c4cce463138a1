from __future__ import annotations

import torch
from torch import Tensor

from heedful.models.growing import ROOM, Growing


def piece(length: int) -> Tensor:
    return torch.randn(3, 2, length, 5)


def test_grows_beyond_its_room() -> None:
    torch.manual_seed(1)
    pieces = [piece(n) for n in (1, 7, ROOM, 2, 3 * ROOM, 1)]
    grown = Growing.from_nothing(3, 2, 5, like=torch.empty(0))
    for n, more in enumerate(pieces, start=1):
        grown = grown.extended(more)
        torch.testing.assert_close(grown.get(), torch.cat(pieces[:n], dim=2), rtol=0, atol=0)


def test_is_a_value_though_its_room_is_shared() -> None:
    torch.manual_seed(2)
    first, one, other = piece(2), piece(1), piece(1)
    common = Growing.from_nothing(3, 2, 5, like=torch.empty(0)).extended(first)
    left = common.extended(one)
    right = common.extended(other)  # the room is taken: it must not write over the left one
    further = left.extended(other)
    assert left.room is common.room
    assert right.room is not common.room
    for grown, pieces in (
        (common, [first]), (left, [first, one]), (right, [first, other]),
        (further, [first, one, other]),
    ):  # fmt: skip
        torch.testing.assert_close(grown.get(), torch.cat(pieces, dim=2), rtol=0, atol=0)


def test_what_is_forgotten_takes_no_room() -> None:
    """However long it grows: what lies behind is left there when it moves."""
    torch.manual_seed(4)
    pieces = [piece(1) for _ in range(10 * ROOM)]
    grown = Growing.from_nothing(3, 2, 5, like=torch.empty(0))
    for n, more in enumerate(pieces, start=1):
        grown = grown.extended(more).without(1 if n > 4 else 0)
        kept = pieces[max(0, n - 4) : n]
        torch.testing.assert_close(grown.get(), torch.cat(kept, dim=2), rtol=0, atol=0)
        assert grown.room.shape[2] <= ROOM
    before = grown.select(torch.tensor([1])).extended(pieces[0][1:2])
    expected = torch.cat([*pieces[-4:], pieces[0]], dim=2)[1:2]
    torch.testing.assert_close(before.get(), expected, rtol=0, atol=0)


def test_what_is_selected_has_a_room_of_its_own() -> None:
    torch.manual_seed(3)
    first, more = piece(4), piece(1)
    grown = Growing.from_nothing(3, 2, 5, like=torch.empty(0)).extended(first)
    rows = torch.tensor([2, 0, 2])
    selected = grown.select(rows)
    grown.extended(more)
    after = selected.extended(more[rows])
    torch.testing.assert_close(
        after.get(), torch.cat((first[rows], more[rows]), dim=2), rtol=0, atol=0
    )
