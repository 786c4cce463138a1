"""Clients that mean no good, or are in trouble: the server lets them go in time."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from ...proc import needs_proc
from ...trained import sentences
from ...waiting import wait_until
from ..served import Running, has_read, running

SENTENCE = sentences()[0][0]
HASTY = """
import heedful.serve.http.connection as connection
connection.HEAD_SECONDS, connection.BODY_SECONDS, connection.SLOWEST = 1.0, 2.0, 1_000
"""
POST = b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
GET = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def connected(server: Running, first: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
        client.sendall(first)
        yield client


def answered(client: socket.socket) -> bytes:
    """One answer, however many pieces it comes in."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += client.recv(4096)
    head, _, body = found.partition(b"\r\n\r\n")
    told = re.search(rb"content-length: (\d+)", head)
    assert told is not None
    while len(body) < int(told[1]):
        body += client.recv(4096)
    return head + b"\r\n\r\n" + body


def heard(client: socket.socket) -> bytes:
    """All until the server closes the connection."""
    found = b""
    try:
        while more := client.recv(65536):
            found += more
    except ConnectionError:
        pass
    return found


def sent_of(client: socket.socket, more: bytes, most: int) -> int:
    """Bytes that could be sent, again and again the same."""
    sent = 0
    try:
        while sent < most:
            client.sendall(more)
            sent += len(more)
    except (ConnectionError, TimeoutError):
        pass
    return sent


def status_of(answer: bytes) -> int:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert "error" in json.loads(body)
    assert b"access-control-allow-origin: *" in head.lower()
    return int(head.split()[1])


def memory(server: Running) -> int:
    """Resident, in bytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return 1024 * int(next(li for li in status.splitlines() if li.startswith("VmRSS")).split()[1])


@pytest.fixture(scope="module")
def hasty(prose_run: Path) -> Iterator[Running]:
    """One that waits for a second or two."""
    with running(prose_run, "--rate", 0, first=HASTY) as found:
        yield found


@needs_proc
@pytest.mark.parametrize(
    "start",
    [
        GET[:-2],  # headers
        GET[:-2] + b"X-Long: ",  # one header
        b"GET /",  # an address
        POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n",  # what follows a body
        POST + b"Transfer-Encoding: chunked\r\n\r\n1;",  # what stands beside a chunk's length
    ],
)
def test_headers_without_end(server: Running, start: bytes) -> None:
    server.translate(SENTENCE)
    before = memory(server)
    more = b"X-A: bbbbbbbbbbbbbbbb\r\n" * 3000 if start.endswith(b"\n") else b"a" * 66_000
    with connected(server, start) as client:
        assert sent_of(client, more, 100_000_000) < 20_000_000  # what the system's buffers take
    assert memory(server) - before < 10_000_000
    assert server.translate(SENTENCE)


@pytest.mark.parametrize(
    "head",
    [
        GET[:-2] + b"a: b\r\n" * 101,
        GET[:-2] + b"a: " + b"b" * 64_001 + b"\r\n" * 2,
        b"GET /" + b"a" * 66_000 + b" HTTP/1.1\r\nHost: x\r\n",
        b"GET /translate?q=" + b"a" * 66_000 + b" HTTP/1.1\r\nHost: x\r\n",
    ],
)
def test_too_many_headers_are_told(server: Running, head: bytes) -> None:
    with connected(server, head + b"\r\n") as client:
        assert status_of(heard(client)) == 431


@pytest.mark.parametrize("address", [b"http://[", b"http://x", b"/\xff"])
def test_an_address_that_is_none_is_told(server: Running, address: bytes) -> None:
    with connected(server, b"GET " + address + b" HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert status_of(heard(client)) == 400


@pytest.mark.parametrize(
    ("first", "status"),
    [
        (b"", None),
        (GET[:9], 408),
        (POST, 408),
        (POST + b"Content-Length: 9\r\n\r\n{", 408),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 408),
    ],
)
def test_whoever_falls_silent_is_let_go(hasty: Running, first: bytes, status: int | None) -> None:
    with connected(hasty, first) as client:
        answer = heard(client)
    assert answer == b"" if status is None else status_of(answer) == status


@pytest.mark.parametrize(
    "first",
    [
        b"G",
        GET[:-1],
        POST,
        POST + b"Content-Length: 9\r\n\r\n{",
        POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ],
)
def test_a_request_that_ends_early_is_told(server: Running, first: bytes) -> None:
    """Its client sends no more, and may still listen."""
    with connected(server, first) as client:
        client.shutdown(socket.SHUT_WR)
        answer = heard(client)
    assert status_of(answer) == 400
    assert b"ended before it was whole" in answer


def test_a_request_that_ends_early_is_answered_once(server: Running) -> None:
    head = b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
    with connected(server, head) as client:
        first = client.recv(9999)
        assert status_of(first) == 404
        client.shutdown(socket.SHUT_WR)
        assert b"HTTP/1.1" not in heard(client)


def test_whoever_asks_nothing_is_told_nothing(server: Running) -> None:
    for first in (b"", b"\r\n"):
        with connected(server, first) as client:
            client.shutdown(socket.SHUT_WR)
            assert heard(client) == b""
    with connected(server, GET) as client:
        assert answered(client).startswith(b"HTTP/1.1 200 ")
        client.shutdown(socket.SHUT_WR)
        assert heard(client) == b""


def test_the_end_of_a_request_is_not_taken_for_that_of_the_one_before(server: Running) -> None:
    """A 400 in the place of the answer that is still to come would be the wrong request's."""
    body = json.dumps({"q": [SENTENCE] * 100, "source": "en", "target": "eo"}).encode()
    with connected(server, POST + b"Content-Length: %d\r\n\r\n" % len(body) + body) as client:
        client.sendall(GET[:9])
        client.shutdown(socket.SHUT_WR)
        assert b" 400 " not in heard(client)


@pytest.mark.parametrize("first", [POST + b"Content-Length: 900\r\n\r\n", GET[:9], b"\r\n", GET])
def test_whoever_sends_drop_by_drop_is_let_go(hasty: Running, first: bytes) -> None:
    drop = b"\r\n" if first.endswith(b"\n") else b"x"
    with connected(hasty, first) as client:
        client.settimeout(0.3)
        until = time.monotonic() + 60
        answer: bytes | None = None
        while answer != b"" and time.monotonic() < until:
            try:
                client.sendall(drop)
                answer = client.recv(4096)
            except TimeoutError:
                continue
            except ConnectionError:
                break
        assert time.monotonic() < until


def test_half_a_request_behind_a_whole_one_has_its_time_too(hasty: Running) -> None:
    with connected(hasty, GET + GET[:9]) as client:
        assert b'"ok"' in answered(client)
        assert status_of(heard(client)) == 408


def test_what_is_too_large_and_whole_is_not_waited_for(server: Running) -> None:
    chunk = b"%x\r\n%s\r\n" % (1_000_001, b"x" * 1_000_001)
    with connected(server, POST + b"Transfer-Encoding: chunked\r\n\r\n") as client:
        client.sendall(chunk + b"0\r\n\r\n")
        assert status_of(heard(client)) == 413


@pytest.mark.parametrize("asks", [b"", b"Expect: 100-continue\r\n"])
def test_who_claims_too_much_is_told_before_it_has_sent_it(server: Running, asks: bytes) -> None:
    with connected(server, POST + asks + b"Content-Length: 9000000\r\n\r\n{") as client:
        assert status_of(answered(client)) == 413
        client.sendall(b"x" * 8_999_999)  # heard to its end: no reset takes the answer away
        assert heard(client) == b""


def test_a_slow_but_steady_client_is_heard(hasty: Running) -> None:
    """Longer than a body's time, but fast enough to show that it goes on. Each piece gives it 90
    seconds more, so that it may be much slower on a busy machine."""
    body = json.dumps({"q": SENTENCE, "source": "en", "target": "eo"}).encode()
    body += b" " * 900_000
    head = POST + b"Content-Length: %d\r\n\r\n" % len(body)
    with connected(hasty, head + body[:90_000]) as client:
        for start in range(90_000, len(body), 90_000):
            time.sleep(0.5)
            client.sendall(body[start : start + 90_000])
        assert answered(client).startswith(b"HTTP/1.1 200 ")


def test_a_connection_that_is_kept(hasty: Running) -> None:
    """Between two requests a client may be silent for longer than within one: for 30 seconds, so
    that a busy machine does no harm."""
    with connected(hasty, GET) as client:
        assert answered(client).startswith(b"HTTP/1.1 200 ")
        time.sleep(3)
        client.sendall(GET)
        assert answered(client).startswith(b"HTTP/1.1 200 ")


def test_requests_one_upon_the_other(server: Running) -> None:
    with connected(server, GET * 5) as client:
        found = b""
        while found.count(b'"ok"') < 5:
            found += client.recv(65536)
    with connected(server, GET * 5000) as client:
        assert heard(client).count(b'"ok"') < 50


def test_what_nobody_can_read_behind_a_request(server: Running) -> None:
    """The request is answered, and the connection ends."""
    for more in (b"x y z\r\n\r\n", b'{"q": 1}'):
        with connected(server, GET + more) as client:
            answer = heard(client)
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.count(b"HTTP/1.1") == 1


PATIENT = """
import heedful.serve.http.connection as connection, heedful.serve.running as running
connection.HEAD_SECONDS = connection.BODY_SECONDS = running.GRACE = 600
"""


@needs_proc
def test_told_to_end_it_does_not_wait_for_them(prose_run: Path) -> None:
    with running(prose_run, "--rate", 0, first=PATIENT) as server, ExitStack() as clients:
        for first in (b"", GET[:9], POST, POST + b"Content-Length: 9\r\n\r\n{"):
            client = clients.enter_context(connected(server, first))
            wait_until(partial(has_read, server, client))
        assert server.stop() == 0


NARROW = """
import socket
made = connection.Connection.connection_made
def narrow(self, transport):
    given = transport.get_extra_info("socket")
    given.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    made(self, transport)
connection.Connection.connection_made = narrow
connection.STALL_SECONDS = 5.0
"""


def test_an_answer_that_nobody_takes(prose_run: Path) -> None:
    asked = GET.replace(b"/health", b"/see/app.js") * 15
    with (
        running(prose_run, "--rate", 0, "--connections", 1, first=HASTY + NARROW) as server,
        socket.socket() as client,
    ):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(asked)
        assert server.ask("/health").status == 503  # it takes the only place
        wait_until(lambda: server.ask("/health").status == 200)
