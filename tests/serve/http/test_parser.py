"""Offers to go on in another protocol."""

from __future__ import annotations

import socket

import pytest

from ...proc import needs_proc
from ...waiting import wait_until
from ..served import Running, has_read
from .test_connection import GET, POST, answered, connected, heard, status_of

OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: %s\r\nContent-Length: %d\r\n\r\n"
CHUNKED = b"Connection: upgrade\r\nupgrade: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n"


@needs_proc
@pytest.mark.parametrize("first", [b"", GET])
@pytest.mark.parametrize("offer", [b"h2c", b"websocket"])
@pytest.mark.parametrize("cut", [5, 60, 150, 10_000])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_an_offer_to_speak_otherwise_is_not_taken_up(
    server: Running, first: bytes, offer: bytes, cut: int, is_chunked: bool
) -> None:
    """Java's client makes one with every first request; it may come in any pieces."""
    body = b'{"q": "\\r\\nUpgrade: x", "source": "eo", "target": "eo"}'
    sent = first + POST + (CHUNKED if is_chunked else OFFER) % (offer, len(body)) + body
    sent += b"\r\n0\r\n\r\n" if is_chunked else b""
    with connected(server) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in (sent[:cut], sent[cut:]):
            client.sendall(piece)
            wait_until(lambda: has_read(server, client))
        found = b""
        while not found.endswith(b'{"translatedText":"\\r\\nUpgrade: x"}'):
            assert b"error" not in found
            found += client.recv(4096)
        assert found.count(b"HTTP/1.1 200 ") == 1 + bool(first)
        client.sendall(GET)
        assert answered(client).startswith(b"HTTP/1.1 200 ")


def test_many_offers_and_tunnels(server: Running) -> None:
    offer = GET[:-2] + b"Connection: upgrade\r\nUpgrade: h2c\r\n\r\n"
    with connected(server, offer * 3) as client:
        found = b""
        while found.count(b'"ok"') < 3:
            found += client.recv(4096)
    with connected(server, offer * 3000) as client:
        assert heard(client).count(b'"ok"') < 50
    with connected(server, b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert status_of(heard(client)) == 400
