"""What the document tells is what the server does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from heedful.serve.http.openapi import answers
from heedful.serve.http.openapi.examples import Examples

from ....trained import sentences
from ...served import Running, running
from ..test_libretranslate import multipart
from .conforming import faults

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
PARTS = "multipart/form-data"
SENTENCE = sentences()[0][0]
ASKED = ["/translate", "/detect", "/v1/translate", "/v1/stream", "/v1/record"]


@pytest.fixture(scope="module")
def told(server: Running) -> dict[str, Any]:
    return dict(server.ask("/openapi.json").data["paths"])


def examples(told: dict[str, Any], path: str, kind: str) -> Iterator[dict[str, Any]]:
    """Requests, each of which keeps to what is told of it. The model of the tests can hold but few
    tokens: it records a sentence of its own."""
    content = told[path]["post"]["requestBody"]["content"][kind]
    for example in content["examples"].values():
        assert faults(example["value"], content["schema"]) == []
        yield example["value"] | ({"text": SENTENCE} if path == "/v1/record" else {})


@pytest.mark.parametrize("path", ASKED)
def test_examples_work_in_every_encoding(server: Running, told: dict[str, Any], path: str) -> None:
    ((kind, answer),) = told[path]["post"]["responses"]["200"]["content"].items()
    for asked in examples(told, path, JSON):
        reply = server.ask(path, asked)
        assert reply.status == 200, reply.body
        assert reply.headers["content-type"].startswith(kind)
        if kind == JSON:
            assert faults(reply.data, answer["schema"]) == []
    for asked in examples(told, path, FORM):
        fields = {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in asked.items()
        }
        parameters = {one["name"] for one in told[path]["post"]["parameters"]}
        assert set(fields) <= parameters
        expected = server.ask(path, asked).body
        raw, headers = multipart({**fields})
        assert server.ask(path, form=fields).body == expected
        assert server.ask(path, raw=raw, headers=headers).body == expected
        assert server.ask(f"{path}?{urlencode(fields)}", raw=b"").body == expected


def test_a_file_works_as_told(server: Running, told: dict[str, Any]) -> None:
    (asked,) = examples(told, "/translate_file", PARTS)
    fields = asked | {"file": ("a.txt", asked["file"].encode())}
    raw, headers = multipart(fields)
    reply = server.ask("/translate_file", raw=raw, headers=headers)
    assert reply.status == 200
    assert faults(reply.data, answers.TRANSLATE_FILE) == []


@pytest.mark.parametrize("path", ["/languages", "/frontend/settings", "/health"])
def test_what_is_answered_now_is_the_example(
    server: Running, told: dict[str, Any], path: str
) -> None:
    content = told[path]["get"]["responses"]["200"]["content"][JSON]
    assert faults(server.ask(path).data, content["schema"]) == []
    assert [example["value"] for example in content["examples"].values()] == [server.ask(path).data]


def test_the_answers_of_the_demo_keep_to_their_forms() -> None:
    demo = Examples("en", "fr", attends=True)
    for some, form in [
        (demo.translate(), answers.TRANSLATE),
        (demo.detect(), answers.DETECT),
        (demo.v1_translate(), answers.V1_TRANSLATE),
        (demo.v1_stream(), answers.V1_STREAM),
    ]:
        for example in some:
            assert faults(example.answer, form) == []
    others = Examples("en", "de", attends=True)
    assert all(example.answer is None for example in others.translate())


def test_refusals_keep_to_their_forms(server: Running, told: dict[str, Any]) -> None:
    for path in ASKED:
        reply = server.ask(path, {})
        refusal = told[path]["post"]["responses"][str(reply.status)]["content"][JSON]
        assert reply.status == 400
        assert faults(reply.data, refusal["schema"]) == []
        assert faults(refusal["example"], refusal["schema"]) == []


def test_limits_are_those_of_the_running_server(prose_run: Path) -> None:
    limits = ("--characters", 90, "--texts", 3, "--alternatives", 2, "--body", 4000, "--rate", 0)
    asked = {"q": "Cat", "source": "en", "target": "eo"}
    with running(prose_run, *limits) as server:
        paths = server.ask("/openapi.json").data["paths"]
        page = server.ask("/docs").body.decode()
        for change in ({"q": "x" * 90}, {"q": ["Cat"] * 3}, {"alternatives": 2}):
            assert server.ask("/translate", asked | change).status == 200
        for change in ({"q": "x" * 91}, {"q": ["Cat"] * 4}, {"alternatives": 3}):
            assert server.ask("/translate", asked | change).status == 400
    told = paths["/translate"]["post"]
    fields = told["requestBody"]["content"][JSON]["schema"]["properties"]
    one, several = fields["q"]["anyOf"]
    assert one["maxLength"] == 90
    assert several["maxItems"] == 3
    assert fields["alternatives"]["maximum"] == 2
    assert "4,000 bytes" in told["responses"]["413"]["description"]
    assert "(1 to 90 characters)" in page
    assert "(1 to 3 of them)" in page


def test_keys_are_told_of_where_there_are_some(server: Running, told: dict[str, Any]) -> None:
    assert "security" not in server.ask("/openapi.json").data
    assert all("api_key" in _fields(told, path, JSON) for path in ASKED)


def test_ours_have_no_other_fields(told: dict[str, Any]) -> None:
    closed = {
        path
        for path in ASKED
        if not told[path]["post"]["requestBody"]["content"][JSON]["schema"].get(
            "additionalProperties", True
        )
    }
    assert closed == {"/v1/translate", "/v1/stream", "/v1/record"}


def _fields(told: dict[str, Any], path: str, kind: str) -> dict[str, Any]:
    return dict(told[path]["post"]["requestBody"]["content"][kind]["schema"]["properties"])
