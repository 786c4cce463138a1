"""Who answers which request."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from heedful.errors import InputError, ModelFolderError
from heedful.serve.app import App
from heedful.serve.guard.admission import Admission
from heedful.serve.http.endpoint import Endpoint
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused

TROUBLES = {
    "refused": Refused(429, "too many"),
    "input": InputError("a poor question"),
    "folder": ModelFolderError("runs/secret is damaged"),
}


async def _say(request: Request) -> Response:
    return PlainTextResponse(request.path_params.get("name", "plain"))


async def _take(request: Request) -> Response:
    return PlainTextResponse("taken")


async def _fail(request: Request) -> Response:
    raise TROUBLES[request.path_params["trouble"]]


@pytest.fixture
def app() -> App:
    endpoints = [
        Endpoint("GET", "/plain", _say),
        Endpoint("POST", "/plain", _take),
        Endpoint("GET", "/of/{name}", _say),
        Endpoint("GET", "/of/itself", _take),
        Endpoint("GET", "/folder/", _say),
        Endpoint("GET", "/fail/{trouble}", _fail),
    ]
    return App(endpoints, Admission(ServeOptions()))


def _asked(
    app: App, method: str, path: str, query: str = ""
) -> tuple[int, dict[bytes, bytes], str]:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(),
        "headers": [], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "scheme": "http",
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"].decode()


@pytest.mark.parametrize(
    ("method", "path", "answer"),
    [
        ("GET", "/plain", "plain"),
        ("HEAD", "/plain", "plain"),
        ("POST", "/plain", "taken"),
        ("GET", "/of/a b.txt", "a b.txt"),
        ("GET", "/of/itself", "taken"),
        ("GET", "/of/{name}", "{name}"),
    ],
)
def test_a_path_and_a_method_have_their_answer(
    app: App, method: str, path: str, answer: str
) -> None:
    status, _, body = _asked(app, method, path)
    assert (status, body) == (200, answer)


@pytest.mark.parametrize("path", ["/", "/Plain", "/of", "/of/", "/of/a/b", "/plain/x", "//plain"])
def test_there_is_nothing_elsewhere(app: App, path: str) -> None:
    assert _asked(app, "GET", path)[0] == 404


def test_what_a_path_cannot_do_is_refused_with_what_it_can(app: App) -> None:
    status, headers, _ = _asked(app, "DELETE", "/plain")
    assert status == 405
    assert headers[b"allow"] == b"GET, POST, HEAD"
    assert _asked(app, "POST", "/of/itself")[1][b"allow"] == b"GET, HEAD"


@pytest.mark.parametrize(
    ("path", "query", "other"),
    [
        ("/plain/", "", b"../plain"),
        ("/folder", "", b"folder/"),
        ("/plain/", "q=1", b"../plain?q=1"),
    ],
)
def test_a_slash_too_many_or_too_few_is_shown_the_way(
    app: App, path: str, query: str, other: bytes
) -> None:
    status, headers, _ = _asked(app, "GET", path, query)
    assert status == 307
    assert headers[b"location"] == other


@pytest.mark.parametrize(
    ("trouble", "status", "told"),
    [
        ("refused", 429, "too many"),
        ("input", 400, "a poor question"),
        ("folder", 500, "internal error"),
    ],
)
def test_what_goes_wrong_is_told_if_it_is_about_the_request(
    app: App, trouble: str, status: int, told: str
) -> None:
    got, _, body = _asked(app, "GET", f"/fail/{trouble}")
    assert got == status
    assert told in body
    assert "secret" not in body
