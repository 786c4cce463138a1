from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from heedful.text.bulk.packed import id_type, pack

SENTENCES = st.lists(st.tuples(st.lists(st.integers(0, 65_535), max_size=5), st.booleans()))


@given(SENTENCES)
def test_only_some(sentences: list[tuple[list[int], bool]]) -> None:
    packed = pack([ids for ids, _ in sentences], np.uint16)
    assert len(packed) == len(sentences)
    some = packed.only(np.array([wanted for _, wanted in sentences], np.bool_))
    wanted = [ids for ids, wanted in sentences if wanted]
    assert some.lengths.tolist() == [len(ids) for ids in wanted]
    assert some.ids.tolist() == [index for ids in wanted for index in ids]


def test_the_smallest_type_that_holds_every_id() -> None:
    assert id_type(65_536) is np.uint16
    assert id_type(65_537) is np.int32
