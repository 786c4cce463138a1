"""The page's server: what it answers, and whom it does not."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from heedful.errors import InputError
from heedful.page.server import FILES, HOST, LONGEST, Answers, make_server
from heedful.see.recording.record import Record
from heedful.translator import Translator


@pytest.fixture(scope="module")
def port(prose: Translator) -> Iterator[int]:
    server = make_server(Answers({"prose": prose}), 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def ask(
    port: int, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(HOST, port, timeout=60)
    content = json.dumps(body).encode() if not isinstance(body, bytes | None) else body
    given = {"Content-Type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    connection.request(method, path, content, given)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def test_the_page_and_its_files(port: int) -> None:
    for path in FILES:
        status, headers, content = ask(port, "GET", path)
        assert status == 200
        assert content
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_sentence(port: int) -> None:
    question = {"model": 0, "source": "The cat sees the dog here."}
    status, _, content = ask(port, "POST", "/api/attend", question)
    assert status == 200
    record = Record.from_json(content.decode())
    assert record.source == question["source"]
    asked = question | {
        "target": list(record.target_ids), "kind": "cross", "layer": 1, "head": 2,
    }  # fmt: skip
    status, _, content = ask(port, "POST", "/api/head", asked)
    assert status == 200
    assert set(json.loads(content)) == {"queries", "keys", "values"}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"model": 0, "source": "  "}, "empty"),
        ({"model": 7, "source": "a"}, "model 7"),
        ({"source": "a"}, "model None"),
        ({"model": 0, "source": "cat " * 900}, "tokens"),
        ({"model": 0, "source": "a", "prefix": [10**9]}, "vocabulary's ids"),
        ({"model": 0, "source": "a", "prefix": "x"}, "vocabulary's ids"),
        ({"model": 0, "source": "a", "prefix": [0]}, "vocabulary's ids"),
        ([], "is an object"),
        (b"{", "no JSON"),
        (b"[" * 5000, "no JSON"),
    ],
)
def test_a_question_that_makes_no_sense(port: int, body: Any, told: str) -> None:
    status, _, content = ask(port, "POST", "/api/attend", body)
    assert status == 400
    assert told in json.loads(content)["error"]


@pytest.mark.parametrize(
    "head",
    [{}, {"kind": [], "layer": 1, "head": 1}, {"kind": "cross", "layer": 1e999, "head": 1},
     {"kind": "cross", "layer": 1, "head": 99}, {"kind": "x", "layer": 1, "head": 1}],
)  # fmt: skip
def test_a_head_that_is_not_there(port: int, head: dict[str, Any]) -> None:
    asked = {"model": 0, "source": "The cat sees the dog here.", "target": [9, 9]} | head
    assert ask(port, "POST", "/api/head", asked)[0] == 400


def test_what_is_left_of_a_refused_question_is_no_question(port: int) -> None:
    """A form of another site cannot write requests of its own behind the first."""
    hidden = f"GET /api/models HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n"
    with socket.create_connection((HOST, port), timeout=60) as connection:
        connection.sendall(
            f"POST /api/attend HTTP/1.1\r\nHost: {HOST}:{port}\r\nContent-Type: text/plain\r\n"
            f"Content-Length: {len(hidden)}\r\n\r\n{hidden}".encode()
        )
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1") == 1


def test_a_question_that_is_too_long(port: int) -> None:
    connection = HTTPConnection(HOST, port, timeout=60)
    connection.putrequest("POST", "/api/attend")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(LONGEST + 1))
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 400
    assert "at most" in json.loads(answer.read())["error"]
    connection.close()


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}],
)
def test_other_sites_get_nothing(port: int, headers: dict[str, str]) -> None:
    for method, path in (("GET", "/"), ("GET", "/api/models"), ("POST", "/api/attend")):
        status, _, content = ask(port, method, path, {"model": 0, "source": "a"}, **headers)
        assert status == 403
        assert b"source" not in content


def test_a_form_of_another_site_is_no_question(port: int) -> None:
    status, _, _ = ask(port, "POST", "/api/attend", b"model=0", Content_Type="text/plain")
    assert status == 400


@pytest.mark.parametrize("path", ["/x", "/../pyproject.toml", "/api/x", "/page/app.js"])
def test_nothing_else_is_served(port: int, path: str) -> None:
    assert ask(port, "GET", path)[0] == 404


def test_a_port_in_use_is_told(port: int, prose: Translator) -> None:
    for wrong in (port, 70_000):
        with pytest.raises(InputError, match=f"port {wrong} cannot be listened on"):
            make_server(Answers({"prose": prose}), wrong)
