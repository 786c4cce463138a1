from __future__ import annotations

import io

import numpy as np
import pytest

from heedful.text.bulk import messages
from heedful.text.bulk.messages import Message, receive, send
from heedful.text.bulk.packed import pack
from heedful.text.bulk.pair_encoder import Encoded


def through_a_pipe(message: Message) -> Message:
    pipe = io.BytesIO()
    send(pipe, message)
    pipe.seek(0)
    return receive(pipe)


def test_a_setup_arrives() -> None:
    setup = b"model\0\xff", b"other", 17, (2**64 - 1, 5)
    assert messages.to_setup(through_a_pipe(messages.from_setup(setup))) == setup


def test_a_block_arrives() -> None:
    block = b"one\ntwo\n", "é\n\n".encode()
    assert messages.to_block(through_a_pipe(messages.from_block(block))) == block


@pytest.mark.parametrize("dtype", [np.uint16, np.int32])
def test_what_was_encoded_arrives(dtype: type[np.uint16] | type[np.int32]) -> None:
    sent = Encoded(
        source=pack([[1, 2, 3], []], dtype), target=pack([[4], [5, 6]], dtype),
        hashes=np.array([2**64 - 1, 7], np.uint64), usable=3, aside=2, too_long=1,
    )  # fmt: skip
    found = messages.to_encoded(through_a_pipe(messages.from_encoded(sent)))
    for mine, other in ((found.source, sent.source), (found.target, sent.target)):
        assert mine.ids.dtype == other.ids.dtype
        assert mine.ids.tolist() == other.ids.tolist()
        assert mine.lengths.tolist() == other.lengths.tolist()
    assert found.hashes.tolist() == sent.hashes.tolist()
    assert (found.usable, found.aside, found.too_long) == (3, 2, 1)


@pytest.mark.parametrize("kept", [0, 3, 12, 40])
def test_a_message_that_is_cut_short_is_an_end(kept: int) -> None:
    pipe = io.BytesIO()
    send(pipe, messages.from_block((b"one\n" * 9, b"two\n" * 9)))
    with pytest.raises(EOFError):
        receive(io.BytesIO(pipe.getvalue()[:kept]))
