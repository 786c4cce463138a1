"""What is written in one go is sent in one go: uvicorn writes an answer's head and its body one by
one, and each would be a packet of its own, and wake the client twice."""

from __future__ import annotations

import asyncio


class Joined(asyncio.Transport):
    """A client's transport; what is written goes out when whoever writes lets others go on."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._held: list[bytes | bytearray | memoryview] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Soon."""
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def _send(self) -> None:
        data = b"".join(self._held)
        self._held.clear()
        if data and not self._transport.is_closing():  # the client may have gone meanwhile
            self._transport.write(data)

    def close(self) -> None:
        """After what was written."""
        self._send()
        self._transport.close()

    def abort(self) -> None:
        """Now."""
        self._held.clear()
        self._transport.abort()

    def is_closing(self) -> bool:
        """Whether nothing more can be written."""
        return self._transport.is_closing()

    def get_write_buffer_size(self) -> int:
        """Bytes that are not sent yet."""
        return self._transport.get_write_buffer_size() + sum(map(len, self._held))

    def pause_reading(self) -> None:
        """Leaves what comes with the system."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Takes it."""
        self._transport.resume_reading()
