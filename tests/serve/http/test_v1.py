"""What LibreTranslate does not have."""

from __future__ import annotations

import http.client
import json
from typing import Any

import pytest

from heedful.see.recording.record import Record
from heedful.translator import Translator

from ...trained import sentences
from ..served import Running

SENTENCE = sentences()[0][0]
ASKED = {"text": SENTENCE, "source": "en", "target": "eo"}


def events(server: Running, body: dict[str, Any]) -> list[tuple[str, Any]]:
    """All of a stream."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("POST", "/v1/stream", json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = []
    for block in answer.read().decode().strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    connection.close()
    return found


def test_scores_and_alternatives(server: Running, prose: Translator) -> None:
    reply = server.ask("/v1/translate", {**ASKED, "alternatives": 2}).data
    best = prose.translate(SENTENCE, nbest=3)
    assert reply["text"] == best.text
    assert reply["score"] == pytest.approx(best.score, abs=1e-4)
    assert all(other["score"] <= reply["score"] for other in reply["alternatives"])


def test_texts_with_tags_have_scores_too(server: Running, prose: Translator) -> None:
    asked = {**ASKED, "text": f"<p>{SENTENCE}</p>", "format": "html", "align": False}
    reply = server.ask("/v1/translate", asked).data
    best = prose.translate(SENTENCE)
    assert reply["text"] == f"<p>{best.text}</p>"
    assert reply["score"] == pytest.approx(best.score, abs=1e-4)


def test_alignments_are_places_in_both_texts(server: Running) -> None:
    text = f"  {SENTENCE}\n{SENTENCE}"
    reply = server.ask("/v1/translate", {**ASKED, "text": text, "align": True}).data
    targets = [reply["text"][slice(*link["target"])] for link in reply["links"]]
    assert targets == reply["text"].split()
    assert {text[slice(*link["source"])] for link in reply["links"]} <= set(text.split())
    assert all(0 < link["score"] <= 1 for link in reply["links"])


def test_a_glossary(server: Running) -> None:
    words = SENTENCE.split()
    reply = server.ask("/v1/translate", {**ASKED, "glossary": {words[1]: "testo"}}).data
    assert "testo" in reply["text"]
    kept = server.ask("/v1/translate", {**ASKED, "keep": [words[1]]}).data
    assert words[1] in kept["text"]


def test_a_prefix_is_that_of_the_first_paragraph(server: Running) -> None:
    two = {**ASKED, "text": "The cat sees the dog.\n\nThe cat sees the dog."}
    plain = server.ask("/v1/translate", two).data["text"]
    forced = server.ask("/v1/translate", {**two, "prefix": "La fem"}).data["text"]
    assert forced.startswith("La fem")
    assert forced.partition("\n")[2] == plain.partition("\n")[2]


def test_a_prefix(server: Running) -> None:
    assert (
        server.ask("/v1/translate", {**ASKED, "prefix": "La fem"}).data["text"].startswith("La fem")
    )


@pytest.mark.parametrize("beam", [1, 4])
def test_a_stream_is_the_translation_piece_by_piece(
    server: Running, prose: Translator, beam: int
) -> None:
    text = f"{SENTENCE} {SENTENCE}\n\n{SENTENCE}"
    found = events(server, {**ASKED, "text": text, "beam": beam})
    one = prose.translate(SENTENCE, beam=beam).text
    whole = f"{one} {one}\n\n{one}"
    pieces = [data["text"] for name, data in found if name == "piece"]
    assert found[-1] == ("done", {"text": whole})
    assert "".join(pieces) == whole
    assert len(pieces) > 6


def test_a_record(server: Running) -> None:
    reply = server.ask("/v1/record", ASKED)
    record = Record.from_json(reply.body.decode(), where="the answer")
    assert record.source == SENTENCE
    assert record.has_attention


@pytest.mark.parametrize(
    ("path", "change", "told"),
    [
        ("translate", {"glossary": [1]}, "glossary must be"),
        ("translate", {"glossary": {"a": 1}}, "glossary must be"),
        ("translate", {"glossary": {"": "x"}}, "neither may be empty"),
        ("translate", {"keep": [1]}, "keep must be"),
        ("translate", {"align": "yes"}, "align must be"),
        ("translate", {"align": True, "format": "html"}, "does not go with format html"),
        ("translate", {"prefix": "La", "format": "html"}, "prefix does not go with format html"),
        ("translate", {"prefix": "la " * 2000}, "tokens, and the model writes"),
        ("translate", {"prefix": "x" * 60_000}, "exceeds text limit"),
        ("stream", {"prefix": "x" * 60_000}, "exceeds text limit"),
        ("translate", {"beam": 33}, "32 or less"),
        ("translate", {"beam": "x"}, "beam must be"),
        ("translate", {"text": 1}, "text must be"),
        ("stream", {"glossary": {"a": "b"}}, "does not go with this"),
        ("stream", {"text": ""}, "missing text"),
        ("record", {"text": "x " * 2000}, "tokens"),
    ],
)
def test_what_is_wrong_is_told(
    server: Running, path: str, change: dict[str, Any], told: str
) -> None:
    reply = server.ask(f"/v1/{path}", ASKED | change)
    assert reply.status == 400
    assert told in reply.data["error"]


def test_the_api_is_documented(server: Running) -> None:
    document = server.ask("/openapi.json").data
    assert {"/translate", "/v1/translate", "/v1/stream"} <= set(document["paths"])
    page = server.ask("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "/v1/translate" in page.body.decode()
    assert "http://" not in page.body.decode()


def test_what_is_documented_is_so(server: Running) -> None:
    paths = server.ask("/openapi.json").data["paths"]
    for path, methods in paths.items():
        for told in methods.values():
            assert {"400", "408", "429", "431", "500", "503"} <= set(told["responses"]), path
    stream = paths["/v1/stream"]["post"]["responses"]["200"]["content"]
    assert list(stream) == ["text/event-stream"]
    assert server.ask("/v1/stream", ASKED).headers["content-type"].startswith("text/event-stream")
    form = "application/x-www-form-urlencoded"
    taken = {
        path: list(methods["post"]["requestBody"]["content"])
        for path, methods in paths.items()
        if "post" in methods
    }
    assert [path for path, kinds in taken.items() if form in kinds] == ["/translate", "/detect"]
    asked = {"q": SENTENCE, "source": "en", "target": "eo", "alternatives": "1"}
    assert len(server.ask("/translate", form=asked).data["alternatives"]) == 1
    assert server.ask("/detect", form={"q": SENTENCE}).status == 200


def test_another_method_is_told_which_is_right(server: Running) -> None:
    reply = server.ask("/v1/translate", method="DELETE")
    assert reply.status == 405
    assert reply.headers["allow"] == "POST"
