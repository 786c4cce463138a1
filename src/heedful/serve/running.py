"""The server while it runs: signals, new versions, and a good end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn

from heedful.serve.app import make_app
from heedful.serve.early import Early
from heedful.serve.http.connection import Connection
from heedful.serve.http.crowd import Crowd
from heedful.serve.memory import Tide, give_back
from heedful.serve.options import ServeOptions
from heedful.serve.server import Server
from heedful.serve.snapshot import clear, sweep

GRACE = 30  # seconds for what is under way when the server is told to end
LAST_WORD = 2  # seconds more, in which whoever is not done is told so
OBJECTS = 10_000  # made between two looks for garbage: many requests are under way, and are none
LOOK_EVERY = 2.0  # seconds between two looks for a new version
PAUSE = 10  # times as long as a look has taken in vain: what fails each time costs little
log = logging.getLogger("heedful.serve")


class Uvicorn(uvicorn.Server):
    """Leaves signals to us: told to end, it ends with 0. Whoever was there before is answered."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None of them."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Nothing is awaited between the last who is let in and the end of listening."""
        loop = asyncio.get_running_loop()
        late = [one for s in sockets or () for one in _queued(s, most=self.config.backlog)]
        entering = [loop.create_task(self._let_in(one)) for one in late]
        cutting = loop.call_later(GRACE, self._cut)
        await super().shutdown(sockets)
        cutting.cancel()
        await asyncio.gather(*entering, return_exceptions=True)  # some may have left

    async def _let_in(self, late: socket.socket) -> None:
        """As if the loop had seen it in time."""
        make: Any = self.config.http_protocol_class
        made = partial(make, self.config, self.server_state, self.lifespan.state)
        _, connection = await asyncio.get_running_loop().connect_accepted_socket(made, late)
        connection.shutdown()

    def _cut(self) -> None:
        """Each request has an answer for this, and each stream an event."""
        tasks = list(self.server_state.tasks)
        if tasks:
            log.warning("requests cut that were not done within %g seconds: %d", GRACE, len(tasks))
        for task in tasks:
            task.cancel()


def _queued(listening: socket.socket, most: int) -> Iterator[socket.socket]:
    """Who is connected to the system, and unknown to the loop: the system would turn them away."""
    listening.setblocking(False)
    with contextlib.suppress(OSError):  # there are no more
        for _ in range(most):
            yield listening.accept()[0]


def run(
    runs: Sequence[Path],
    options: ServeOptions,
    listening: socket.socket,
    early: Early,
) -> None:
    """Until SIGTERM or SIGINT: what is under way is finished, and the process ends. `early` is
    what it was told meanwhile."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    log.setLevel(logging.INFO)  # what others say in passing stays out
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # it quotes what clients send
    sweep()
    server = Server(runs, options)
    gc.freeze()  # what is there now stays: it need not be looked through again and again
    gc.set_threshold(OBJECTS)  # what stays in cycles for long goes when the tide turns
    asyncio.Runner(loop_factory=loop_factory()).run(_run(server, options, listening, early))
    _leave()


def _leave() -> None:
    """All is answered. Threads may still be at work for nobody, on a model that is taken up too
    late, on a document whose sender has left: an end that waits for them may take for ever."""
    clear()
    logging.shutdown()
    os._exit(0)


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The quickest that there is; None for asyncio's own."""
    try:
        import uvloop
    except ImportError:  # as on Windows
        return None
    return uvloop.new_event_loop


def _web(server: Server, options: ServeOptions) -> Uvicorn:
    of_one = 0 if options.behind_proxy else options.connections_per_address  # all have the proxy's
    crowd = Crowd(options.connections, of_one)
    return Uvicorn(
        uvicorn.Config(
            make_app(server),
            log_config=None,  # ours goes to standard error alone
            log_level="error",  # no line for each request that is none
            access_log=False,
            server_header=False,
            proxy_headers=False,  # --behind-proxy is ours
            timeout_graceful_shutdown=GRACE + LAST_WORD,
            timeout_keep_alive=30,
            lifespan="off",
            http=partial(Connection, crowd=crowd),  # type: ignore[arg-type]  # it is only called
            ws="none",
        )
    )


async def _run(
    server: Server, options: ServeOptions, listening: socket.socket, early: Early
) -> None:
    web = _web(server, options)
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[Any]] = {loop.create_task(_look_after(web))}

    def renew() -> None:
        log.info("looking for new versions of the models and the keys")
        task: asyncio.Task[Any] = loop.create_task(server.renew())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def end() -> None:
        web.should_exit = True
        if files := server.desk.close():
            log.warning("files cut that nobody could have fetched: %d", files)

    for number in (signal.SIGINT, signal.SIGTERM):
        _on_signal(number, end)
    if sys.platform != "win32":
        _on_signal(signal.SIGHUP, renew)
    if early.is_stale.is_set():
        renew()
    if early.is_told_to_end.is_set():
        end()
    if options.watch:
        tasks.add(loop.create_task(_watch(server)))
    _tell(server, listening)
    try:
        await web.serve(sockets=[listening])
    finally:
        for task in tasks:
            task.cancel()
        await server.close()


def _on_signal(number: signal.Signals, call: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(number, call)
    except NotImplementedError:  # what asyncio raises on Windows
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))


async def _look_after(web: Uvicorn) -> None:
    """Lets clients go that have had their time; also while the server ends."""
    loop, state, tide = asyncio.get_running_loop(), web.server_state, Tide()
    while True:
        await asyncio.sleep(1)
        if tide.turns(state.total_requests, len(state.tasks)):
            threading.Thread(target=give_back, daemon=True).start()
        for connection in list(web.server_state.connections):
            assert isinstance(connection, Connection)
            try:
                connection.look(loop.time())
            except Exception:  # the others are looked at all the same
                log.exception("a connection could not be looked at")


async def _watch(server: Server) -> None:
    loop, seconds = asyncio.get_running_loop(), LOOK_EVERY
    while True:
        await asyncio.sleep(seconds)
        started = loop.time()
        is_well = await server.renew()
        seconds = LOOK_EVERY if is_well else max(LOOK_EVERY, PAUSE * (loop.time() - started))


def _tell(server: Server, listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    for served in server.models:
        log.info("%s: %s to %s", served.folder, served.source, served.target)
    log.info("http://%s:%s (Ctrl+C ends it)", shown, port)
