"""The real server in a process of its own, and a plain way to ask it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ..trained import start


@dataclass(frozen=True)
class Reply:
    """An answer of HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        """As JSON."""
        return json.loads(self.body)


@dataclass
class Running:
    """A server that listens."""

    process: subprocess.Popen[str]
    port: int
    log: list[str]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        path: str,
        body: Any = None,
        *,
        form: dict[str, str] | None = None,
        raw: bytes | None = None,
        method: str | None = None,
        headers: dict[str, str] | None = None,
        timeout: float = 60,
        host: str = "127.0.0.1",
    ) -> Reply:
        """JSON, a form, or bytes as they are."""
        sent, kind = raw, {}
        if body is not None:
            sent, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
        elif form is not None:
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            sent = urlencode(form).encode()
        connection = http.client.HTTPConnection(host, self.port, timeout=timeout)
        try:
            method = method or ("GET" if sent is None else "POST")
            connection.request(method, path, sent, kind | (headers or {}))
            answer = connection.getresponse()
            return Reply(
                answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
            )
        finally:
            connection.close()

    def translate(self, q: Any, **more: Any) -> Any:
        """By the API of LibreTranslate."""
        reply = self.ask("/translate", {"q": q, "source": "en", "target": "eo", **more})
        assert reply.status == 200, reply.body
        return reply.data["translatedText"]

    def stop(self) -> int:
        """As a system does."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


SENT = "sent to the worker\n"
LOG_SENT = """
import sys
from heedful.serve.worker.client import Worker
send = Worker._send
async def send_and_log(self, process, message):
    await send(self, process, message)
    print("sent to the worker", file=sys.stderr, flush=True)
Worker._send = send_and_log
"""
"""For `running(first=...)`: logs the line SENT for each question to the worker."""

LISTEN = "0A"


def has_read(server: Running, client: socket.socket) -> bool:
    """Return whether the server has accepted this connection and read all that was sent."""
    port = client.getsockname()[1]
    return any(
        entry.inode != "0" and entry.unread == 0
        for entry in _sockets(server.port)
        if entry.remote_port == port
    )


def is_listening(server: Running) -> bool:
    """Return whether the server still accepts connections."""
    return any(entry.state == LISTEN for entry in _sockets(server.port))


@dataclass(frozen=True)
class _Socket:
    """A line of /proc/net/tcp. The inode is 0 until the connection is accepted."""

    remote_port: int
    state: str
    unread: int
    inode: str


def _sockets(port: int) -> list[_Socket]:
    lines = Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]
    fields = [line.split() for line in lines]
    return [_Socket(_hex(f[2]), f[3], _hex(f[4]), f[9]) for f in fields if _hex(f[1]) == port]


def _hex(field: str) -> int:
    """Return the number behind the colon."""
    return int(field.partition(":")[2], 16)


def children(process_id: int) -> list[int]:
    """Processes that it has started."""
    path = Path(f"/proc/{process_id}/task/{process_id}/children")
    return list(map(int, path.read_text().split()))


@contextmanager
def running(*arguments: object, **options: Any) -> Iterator[Running]:
    """`heedful serve` with these words; stopped at the end."""
    process = start("serve", *arguments, "--port", 0, "--threads", 1, **options)
    assert process.stderr is not None
    log: list[str] = []
    port = 0
    for line in process.stderr:
        log.append(line)
        if found := re.search(r"http://[^:]+:(\d+)", line):
            port = int(found[1])
            break
    assert port, "".join(log)
    drain = threading.Thread(target=lambda: log.extend(process.stderr or ()), daemon=True)
    drain.start()
    server = Running(process, port, log)
    try:
        yield server
    finally:
        if process.poll() is None:
            assert server.stop() == 0
        drain.join(timeout=60)
        assert process.stdout is not None
        process.stdout.close()
        process.stderr.close()
