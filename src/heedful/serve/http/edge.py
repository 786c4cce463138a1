"""Where requests come in and answers go out: what holds for all of them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heedful.serve.metrics import Metrics
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused, busy

log = logging.getLogger("heedful.serve")
FORM_ALLOWANCE = 10_000  # bytes of a form around its file
MOST_HELD = 256_000_000  # bytes of all requests that are not answered yet
HEARD_OUT = 16_000_000, 5.0  # bytes and seconds of a request that is too large anyway
_JSON_TYPE = b"content-type", b"application/json"
ALWAYS = [(b"access-control-allow-origin", b"*"), (b"x-content-type-options", b"nosniff")]
PREFLIGHT = {
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
}
"""For a browser that asks whether it may ask."""


class Edge:
    """Around the app: its answers get their headers, its requests their limit, all are counted."""

    def __init__(self, app: ASGIApp, options: ServeOptions, metrics: Metrics) -> None:
        self._app = app
        self._options = options
        self._metrics = metrics
        self._room = Room(max(MOST_HELD, 4 * options.file))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        started, status = time.perf_counter(), 0
        limited = self._limited(scope, receive)

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), *ALWAYS]
            elif limited.is_cut_off and not message.get("more_body"):
                await send({**message, "more_body": True})
                await _hear_out(receive)
                message = {"type": message["type"]}
            await send(message)

        try:
            if scope["method"] == "OPTIONS":
                await Plain({}, headers=PREFLIGHT)(scope, receive, send_with_headers)
            else:
                await self._app(scope, limited, send_with_headers)
        except ClientDisconnect:
            status = status or 499
        except Exception as error:  # a fault of ours: the log has it, the answer says no more
            log.exception("%s %s failed", scope["method"], scope["path"])
            if not status:
                refused = error if isinstance(error, Refused) else Refused(500, "internal error")
                await refusal(refused)(scope, receive, send_with_headers)
        finally:
            self._room.left += limited.read
            self._metrics.count(scope, status, time.perf_counter() - started)

    def _limited(self, scope: Scope, receive: Receive) -> Limited:
        headers = dict(scope["headers"])
        if self._options.behind_proxy:  # addresses in answers are as the proxy's clients know them
            told = headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().lower()
            scope["scheme"] = "https" if told == b"https" else "http"
        is_file = scope["path"] == "/translate_file"
        most = self._options.file + FORM_ALLOWANCE if is_file else self._options.body
        told = headers.get(b"content-length", b"")
        return Limited(receive, most, int(told) if told.isdigit() else 0, self._room)


@dataclass
class Room:
    """Bytes that all requests under way may still hold together."""

    left: int


class Limited:
    """Reads no more than a request may have, and than there is room for."""

    def __init__(self, receive: Receive, most: int, claimed: int, room: Room) -> None:
        self.read = 0
        self._receive = receive
        self._most = most
        self._claimed = claimed
        self._room = room
        self._is_whole = False

    @property
    def is_cut_off(self) -> bool:
        """Whether the client has more to say than is read."""
        return self._is_exceeded and not self._is_whole

    @property
    def _is_exceeded(self) -> bool:
        return max(self._claimed, self.read) > self._most

    async def __call__(self) -> Message:
        """The next of it."""
        if self._claimed <= self._most:
            message = await self._receive()
            length = len(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
            self.read += length
            self._room.left -= length
        if self._is_exceeded:
            raise Refused(413, f"the request is too large: {self._most:,} bytes at most")
        if self._room.left < 0:
            raise busy(1.0)
        return message


async def _hear_out(receive: Receive) -> None:
    """Lets a client end that has its answer, within reason: one that still sends when its
    connection is closed may never see why it was refused."""
    left, seconds = HEARD_OUT
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            is_more = True
            while is_more and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                is_more = message.get("more_body", False)


def refusal(refused: Refused) -> JSONResponse:
    """The answer."""
    headers = dict(refused.headers)
    if refused.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(refused.retry_after)))
        headers["Access-Control-Expose-Headers"] = "Retry-After"
    if refused.status == 413:
        headers["Connection"] = "close"  # what is still to come is not read
    return Plain({"error": refused.why}, refused.status, headers)


class Plain(JSONResponse):
    """JSON with letters as they are."""

    _write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

    def render(self, content: Any) -> bytes:
        """As bytes; what is bytes already is JSON by now."""
        return content if isinstance(content, bytes) else self._write(content).encode()

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        """Of most answers the same two."""
        if headers:
            super().init_headers(headers)
        else:
            length = b"%d" % len(self.body)
            self.raw_headers = [(b"content-length", length), _JSON_TYPE]
