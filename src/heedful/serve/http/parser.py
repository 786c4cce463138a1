"""From bytes to requests: httptools' parser, which does not let itself be talked into another
protocol."""

from __future__ import annotations

from typing import Protocol

import httptools


class Listener(Protocol):
    """Who is told what has come."""

    url: bytes
    headers: list[tuple[bytes, bytes]]


class Parser(httptools.HttpRequestParser):
    """Java's client offers to go on in HTTP/2, which it need not; httptools takes every offer at
    its word, and the body for the other protocol's. Then the head is read once more, without the
    offer: whoever listens does nothing with it while `should_upgrade()`."""

    def __init__(self, listener: Listener) -> None:
        super().__init__(listener)
        self._listener = listener

    def feed_data(self, data: bytes) -> None:  # type: ignore[override]  # nothing else comes
        """What has come, in pieces of any size."""
        while True:
            try:
                super().feed_data(data)
            except httptools.HttpParserUpgrade as offer:
                if self.get_method() == b"CONNECT":  # which is nothing else
                    raise httptools.HttpParserError("this is no proxy") from None
                data = self._head_again() + data[offer.args[0] :]
            else:
                return

    def _head_again(self) -> bytes:
        first = b" ".join(
            (self.get_method(), self._listener.url, b"HTTP/" + self.get_http_version().encode())
        )
        kept = [n + b": " + v for n, v in self._listener.headers if n.lower() != b"upgrade"]
        return b"\r\n".join([first, *kept, b"", b""])
