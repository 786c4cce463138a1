"""A client's connection: what uvicorn leaves open. Whoever sends headers without end, a request
drop by drop or nothing at all, or does not take an answer, is let go in time."""

from __future__ import annotations

import asyncio
import math
from enum import Enum
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from heedful.serve.http.crowd import Crowd
from heedful.serve.http.edge import ALWAYS, refusal
from heedful.serve.http.joined import Joined
from heedful.serve.http.parser import Parser
from heedful.serve.http.waiting import CLIENT, Client
from heedful.serve.refused import Refused

HEAD_SECONDS = 10.0  # for a request's head, and for a connection that has yet to say something
BODY_SECONDS = 20.0  # for its body, and as many more as SLOWEST makes of what has come
SLOWEST = 10_000  # bytes a second
STALL_SECONDS = 30.0  # for an answer that nobody takes
LAST_SECONDS = 3.0  # for all of these when the server is told to end
MOST_HEAD = 64_000  # bytes of a request that are not its body
FRAMING = 8  # bytes around each of a body's that are no fault: chunks may be as small as one
MOST_HEADERS = 100
MOST_PIPELINED = 16  # requests that wait for the answer to one before them


class Coming(Enum):
    """What the client is sending."""

    NOTHING = "nothing"
    HEAD = "a request's head"
    BODY = "the rest of a request of which the app has heard"
    NOISE = "what nobody can read"


class Connection(HttpToolsProtocol):
    """uvicorn's, with limits. `look` is called now and then: timers would cost each request."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        crowd: Crowd,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.parser = Parser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn's own has
        self._crowd = crowd
        self._address = ""
        self._client = Client()
        self._app: ASGIApp = self.app
        self._is_ending = False  # the server is
        self._coming = Coming.NOTHING
        self._raw = self._body = 0  # bytes of a request: all, and those of its body
        self._unread = 0  # bytes that are being looked at, not counted yet
        self._since = math.inf  # when we began to wait for the client
        self._patience = HEAD_SECONDS
        self._unsent, self._stalled_since = 0, math.inf
        self._stall = STALL_SECONDS

    def connection_made(
        self,
        transport: asyncio.Transport,  # type: ignore[override]  # as uvicorn's own has it
    ) -> None:
        """Far too many are not even told why."""
        super().connection_made(transport)
        self.transport = Joined(transport, self.loop)
        self._since = self.loop.time()
        self._address = self.client[0] if self.client else ""
        if refused := self._crowd.enter(self._address):
            self._app = _Refusing(refused)
        if self._crowd.is_far_too_many(self._address):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """There is room for another, and nobody waits for what is under way."""
        self._crowd.leave(self._address)
        super().connection_lost(exc)
        self._client.leave()

    def data_received(self, data: bytes) -> None:
        """Counts what is no body: a head, the framing of chunks, what may follow the last one."""
        if self._coming is Coming.NOISE:
            return
        if self._since == math.inf:
            self._since, self._patience = self.loop.time(), HEAD_SECONDS
        self._unread = len(data)
        super().data_received(data)
        if self._is_reading() and not self.transport.is_closing():
            self._raw += self._unread
            if self._raw > MOST_HEAD + (FRAMING + 1) * self._body:
                self._end(_too_many_headers())

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._coming = Coming.HEAD
        self._raw = self._body = 0
        if self._since == math.inf:  # it came with the end of another
            self._since, self._patience = self.loop.time(), HEAD_SECONDS

    def on_headers_complete(self) -> None:
        """Whether the app gets it, or a refusal answers in the app's place."""
        if self.parser.should_upgrade():
            return  # it comes once more, without the offer
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests at once")  # uvicorn answers 400
        self.app = self._app
        if self._is_head_too_large():
            self.app = _Refusing(_too_many_headers())
            self.url = b"/"  # nobody reads it, and httptools reads none that is too long
        self._since, self._patience = self.loop.time(), BODY_SECONDS
        self.scope[CLIENT] = self._client  # type: ignore[literal-required]  # it is ours
        super().on_headers_complete()  # which raises if the address is none
        self._coming = Coming.BODY
        if self._is_ending:
            self.shutdown()

    def _is_head_too_large(self) -> bool:
        """Also if it came in one go. Nothing is added up if so little came that it cannot be."""
        if len(self.headers) > MOST_HEADERS:
            return True
        if self._raw + self._unread <= MOST_HEAD:
            return False
        lines = sum(len(name) + len(value) for name, value in self.headers)
        return len(self.url) + lines > MOST_HEAD

    def on_body(self, body: bytes) -> None:
        """A piece of it."""
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """From now on it waits for us, or leaves, which nobody sees who does not read on: uvicorn
        has stopped if the last piece was large."""
        if self.parser.should_upgrade():
            return
        self._coming = Coming.NOTHING
        self._since = math.inf
        super().on_message_complete()
        if not self.pipeline:
            self.flow.resume_reading()

    def eof_received(self) -> None:
        """No more will come. Whoever has asked for half of something may still listen. Whoever has
        asked for all of it has left: to wait for those who only send no more would be to work for
        all who have gone."""
        if self._is_reading() and not self._is_answering():
            self._end(Refused(400, "the request ended before it was whole"))

    def send_400_response(self, msg: str) -> None:
        """As all our answers are."""
        self._end(Refused(400, msg))

    def shutdown(self) -> None:
        """The server is told to end: a request that is not whole has little time left, and so has
        whoever has just come, with a request on its way."""
        self._is_ending = True
        if self.cycle is not None and self._coming is not Coming.HEAD:
            super().shutdown()
        self._raw = self._body = 0
        self._patience, self._stall = LAST_SECONDS, LAST_SECONDS
        if self._is_reading():
            self._since = self.loop.time()

    def look(self, now: float) -> None:
        """Whether this client has had its time."""
        if self._is_stalled(now):
            self.transport.abort()
        elif self.transport.is_closing() or self._is_answering():
            pass
        elif self._since == math.inf:
            if self._crowd.total > self._crowd.most:  # it asks nothing, and others would
                self.transport.close()
        elif now - self._since > self._patience + self._bonus():
            if self._is_reading():
                self._end(Refused(408, "the request came too slowly"))
            else:
                self.transport.close()

    def _bonus(self) -> float:
        """Seconds for what has come of a body; none if the answer did not wait for it."""
        is_wanted = self.cycle is not None and not self.cycle.response_complete
        return self._body / SLOWEST if is_wanted else 0.0

    def _is_stalled(self, now: float) -> bool:
        """Whether an answer lies here untaken for too long."""
        unsent = self.transport.get_write_buffer_size()
        if not unsent or unsent < self._unsent - SLOWEST // 10:
            self._stalled_since = math.inf
        elif self._stalled_since == math.inf:
            self._stalled_since = now
        self._unsent = unsent
        return now - self._stalled_since > self._stall

    def _is_reading(self) -> bool:
        """Whether a request is not whole yet."""
        return self._coming in (Coming.HEAD, Coming.BODY)

    def _is_answering(self) -> bool:
        """Whether we are the ones who are waited for."""
        cycle = self.cycle
        is_open = cycle is not None and not cycle.response_complete
        return bool(self.pipeline) or (is_open and not cycle.more_body)

    def _may_say_why(self) -> bool:
        """Whether nothing has been said to this request, and the one before has its answer."""
        if self._coming is Coming.BODY:
            return not self.cycle.response_started and not self.pipeline
        return self.cycle is None or bool(self.cycle.response_complete)

    def _end(self, refused: Refused) -> None:
        """Says why, unless an answer is being sent or has been, and closes; behind the answers to
        whole requests before, without a word."""
        is_next = self._coming is not Coming.BODY
        if is_next and self.cycle is not None and not self.cycle.response_complete:
            self._coming, self.cycle.keep_alive = Coming.NOISE, False
            return
        if self._may_say_why():
            answer = refusal(refused)
            answer.headers["Connection"] = "close"
            lines = [b"HTTP/1.1 %d Refused" % refused.status]
            lines += [name + b": " + value for name, value in [*answer.raw_headers, *ALWAYS]]
            self.transport.write(b"\r\n".join(lines) + b"\r\n\r\n" + bytes(answer.body))
        self.transport.close()


class _Refusing:
    """In the app's place: answers without reading, and lets the client go."""

    def __init__(self, refused: Refused) -> None:
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One answer."""
        answer = refusal(self._refused)
        answer.headers["Connection"] = "close"
        answer.raw_headers += ALWAYS
        await answer(scope, receive, send)


def _too_many_headers() -> Refused:
    return Refused(431, f"the headers are too large: {MOST_HEAD:,} bytes and {MOST_HEADERS} lines")
