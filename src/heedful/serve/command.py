"""`heedful serve`: from the command to a server that ends well."""

from __future__ import annotations

import contextlib
import importlib.util
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from heedful.errors import InputError
from heedful.serve.early import Early
from heedful.serve.options import ServeOptions

BACKLOG = 512  # clients that the system lets wait
NEEDED = ("starlette", "uvicorn", "httptools", "multipart", "prometheus_client")


def serve(runs: Sequence[Path], options: ServeOptions) -> None:
    """Until SIGTERM or SIGINT."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(
            f"{', '.join(missing)} is missing: install heedful with what its server needs, "
            f"pip install 'heedful[serve]'"
        )
    if not runs:
        raise InputError("a run to serve is wanted, a folder that `heedful train` made")
    options.check()
    with _early_signals() as early, bound(options.host, options.port) as listening:
        from heedful.serve.running import run

        run(runs, options, listening, early)


@contextlib.contextmanager
def _early_signals() -> Iterator[Early]:
    """Until the loop hears them, while models are loaded: told to end, it leaves nothing behind (a
    container's first process hears no signal without a handler); told that there is a new version,
    it looks for that as soon as it can. Python swallows or changes what is raised in the middle of
    some imports: so it is remembered that an end was wanted."""
    early = Early()

    def end(*_: object) -> None:
        early.is_told_to_end.set()
        sys.exit(0)

    handlers: dict[int, Callable[..., None]] = {signal.SIGTERM: end}
    if sys.platform != "win32":  # it has no such signal
        handlers[signal.SIGHUP] = lambda *_: early.is_stale.set()
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield early
    except BaseException:
        for number, usual in before.items():
            signal.signal(number, usual)
        if early.is_told_to_end.is_set():
            sys.exit(0)
        raise


def bound(host: str, port: int) -> socket.socket:
    """Before any model is loaded: who has the port wrong is told at once."""
    try:
        if not 0 <= port < 2**16:
            raise OverflowError("a port is a number from 0 to 65535")
        family = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"{host}, port {port}, cannot be listened on ({why}): give another --port (0 for any "
            f"that is free) or --host"
        ) from None
