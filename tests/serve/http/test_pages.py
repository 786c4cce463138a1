"""The pages of the server and what they ask, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from ...trained import sentences
from ..served import Running

SENTENCE = sentences()[0][0]
HEAD = {"model": 0, "source": SENTENCE, "target": [], "kind": "cross", "layer": 1, "head": 1}


@pytest.mark.parametrize("path", ["/", "/box.js", "/file.js", "/box.css", "/see/", "/docs"])
def test_nothing_comes_from_anywhere_else(server: Running, path: str) -> None:
    reply = server.ask(path)
    assert reply.status == 200
    policy = reply.headers["content-security-policy"].split("; ")
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert not any("unsafe" in part or "*" in part or "http" in part for part in policy)
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "no-referrer"


def test_what_the_page_asks(server: Running) -> None:
    assert [model["name"] for model in server.ask("/see/api/models").data] == ["en → eo"]
    record = server.ask("/see/api/attend", {"model": 0, "source": SENTENCE}).data
    ids = record["target_ids"]
    assert server.ask("/see/api/head", HEAD | {"target": ids}).status == 200
    assert server.ask("/see/api/attend", {"model": 0, "source": "\ud800 x"}).status == 200


@pytest.mark.parametrize(
    ("question", "change"),
    [
        ("attend", {"source": None}),
        ("attend", {"source": 5}),
        ("attend", {"model": "0"}),
        ("attend", {"model": 1}),
        ("attend", {"prefix": ["\ud800"]}),
        ("attend", {"prefix": {"\ud800": 1}}),
        ("attend", {"prefix": [2**70]}),
        ("attend", {"prefix": [5] * 20_000}),
        ("attend", {"source": "a" * 50_001}),
        ("head", {"kind": "\ud800"}),
        ("head", {"kind": ["\ud800"]}),
        ("head", {"layer": "\ud800"}),
        ("head", {"layer": 999}),
        ("head", {"head": 2**70}),
        ("head", {"target": [5] * 9_000}),
    ],
)
def test_what_is_wrong_is_told(server: Running, question: str, change: dict[str, Any]) -> None:
    reply = server.ask(f"/see/api/{question}", HEAD | change)
    assert reply.status == 400, reply.body
    assert set(reply.data) == {"error"}


def test_other_questions(server: Running) -> None:
    assert server.ask("/see/api/describe", {"model": 0}).status == 404
