"""What LibreTranslate does not have."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from heedful.see.recording.record import Record
from heedful.translator import Translator

from ...trained import backwards, sentences
from ..served import Running, running

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


def test_alternatives_that_are_none(server: Running) -> None:
    """A number is its own translation, and has no other."""
    asked = {**ASKED, "text": "42"}
    assert server.ask("/v1/translate", {**asked, "alternatives": 2}).data["alternatives"] == []
    assert "alternatives" not in server.ask("/v1/translate", asked).data


@pytest.mark.parametrize("path", ["translate", "stream"])
def test_terms_that_are_none(server: Running, path: str) -> None:
    asked: dict[str, Any] = {**ASKED, "glossary": {}, "keep": [], "prefix": "", "beam": None}
    reply = server.ask(f"/v1/{path}", asked)
    assert reply.body == server.ask(f"/v1/{path}", ASKED).body


def test_the_best_of_a_wider_search_comes_first(chars_run: Path) -> None:
    """Not so by the API of LibreTranslate, where the translation stays the same."""
    words, more = [word for word, _ in backwards(30)], {"alternatives": 3}
    asked = {"source": "en", "target": "eo"}
    with running(chars_run, "--name", "en-eo", "--beam", 1) as server:
        alone = server.ask("/v1/translate", {"text": words, **asked}).data
        found = server.ask("/v1/translate", {"text": words, **asked, **more}).data
        assert server.translate(words, **more) == server.translate(words)
    assert [one["text"] for one in found] != [one["text"] for one in alone]
    for one, several in zip(alone, found, strict=True):
        scores = [several["score"], *(other["score"] for other in several["alternatives"])]
        assert scores == sorted(scores, reverse=True)
        assert several["score"] >= one["score"]


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


def test_what_is_found_out_of_the_language_is_told(server: Running, prose: Translator) -> None:
    there = "Mi tre ŝatas legi librojn kaj paroli kun miaj amikoj en la urbo."
    asked = {**ASKED, "text": [SENTENCE, there], "source": "auto", "align": True}
    one, other = server.ask("/v1/translate", asked).data
    assert one["text"] == prose.translate(SENTENCE).text
    assert one["detectedLanguage"]["language"] == "en"
    assert one["links"]
    assert (other["text"], other["links"]) == (there, [])
    assert other["detectedLanguage"]["language"] == "eo"
    ((name, last),) = events(server, {**ASKED, "source": "AUTO"})[-1:]
    assert (name, last["text"]) == ("done", one["text"])
    assert last["detectedLanguage"] == one["detectedLanguage"]
    assert events(server, {**ASKED, "text": there, "source": "auto"})[0] == (
        "piece",
        {"text": there},
    )
    record = server.ask("/v1/record", {**ASKED, "source": "auto"}).data
    assert record["languages"] == ["en", "eo"]
    refused = server.ask("/v1/record", {**ASKED, "text": there, "source": "auto"})
    assert (refused.status, "in eo already" in refused.data["error"]) == (400, True)


def test_forms_and_queries_are_taken_too(server: Running) -> None:
    words = SENTENCE.split()
    wishes = {"glossary": json.dumps({words[1]: "testo"}), "align": "true", "alternatives": "1"}
    asked = server.ask("/v1/translate", {**ASKED, "glossary": {words[1]: "testo"}, "align": True})
    formed = server.ask("/v1/translate", form={**ASKED, **wishes}).data
    assert (formed["text"], formed["links"]) == (asked.data["text"], asked.data["links"])
    query = server.ask("/v1/translate?" + urlencode({**ASKED, **wishes}), raw=b"").data
    assert query == formed
    refused = server.ask("/v1/translate", form={**ASKED, "beem": "4"})
    assert "did you mean 'beam'?" in refused.data["error"]


def test_a_model_without_attention_says_so(rnn_run: Path) -> None:
    with running(rnn_run, "--rate", 0) as server:
        reply = server.ask("/v1/translate", {**ASKED, "align": True})
        assert reply.status == 400
        assert "rnn has no attention" in reply.data["error"]
        assert server.ask("/v1/translate", {**ASKED, "align": False}).status == 200
        tagged = {**ASKED, "text": "The <b>cat</b> sees the dog.", "format": "html"}
        assert server.ask("/v1/translate", tagged).status == 200
        record = server.ask("/v1/record", ASKED).data
        assert [attention["kind"] for attention in record["attentions"]] == ["saliency"]
        paths = server.ask("/openapi.json").data["paths"]
        told = paths["/v1/translate"]["post"]["requestBody"]["content"]["application/json"]
        for example in told["examples"].values():
            assert server.ask("/v1/translate", example["value"]).status == 200


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


def test_a_stream_leaves_lines_without_words(server: Running, prose: Translator) -> None:
    text = f"42\n{SENTENCE}\nhttps://example.org/a"
    found = events(server, {**ASKED, "text": text, "beam": 2})
    one = prose.translate(SENTENCE, beam=2).text
    assert found[-1] == ("done", {"text": f"42\n{one}\nhttps://example.org/a"})


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
        ("translate", {"glossary": {"5": " "}, "text": "5"}, "neither may be empty"),
        ("translate", {"glossary": []}, "glossary must be"),
        ("translate", {"glossary": 0}, "glossary must be"),
        ("translate", {"keep": [1]}, "keep must be"),
        ("translate", {"keep": False}, "keep must be"),
        ("translate", {"prefix": []}, "prefix must be"),
        ("translate", {"format": []}, "format '[]' is not supported"),
        ("translate", {"beam": 2, "alternatives": 2}, "3 translations of one text want a beam"),
        ("translate", {"api_key": []}, "api_key must be a string"),
        ("stream", {"glossary": 0}, "glossary must be"),
        ("translate", {"keep": [""]}, "keep: ''"),
        ("translate", {"keep": ["x" * 201]}, "keep: 'xxx"),
        ("translate", {"glossary": "dog"}, "glossary must be"),
        ("translate", {"glosary": {"a": "b"}}, "'glosary' is not known (did you mean 'glossary'?)"),
        ("translate", {"\ud800": 1}, "is not known: text, source, target"),
        ("stream", {"align": True}, "'align' is not known"),
        ("record", {"prefix": "La"}, "'prefix' is not known"),
        ("translate", {"source": "auto", "target": "xx"}, "xx is not supported"),
        ("translate", {"align": "yes"}, "align must be"),
        ("translate", {"align": True, "format": "html"}, "does not go with format html"),
        ("translate", {"prefix": "La", "format": "html"}, "prefix does not go with format html"),
        ("translate", {"prefix": "la " * 2000}, "tokens, and the model writes"),
        ("translate", {"prefix": "x" * 60_000}, "exceeds text limit"),
        ("stream", {"prefix": "x" * 60_000}, "exceeds text limit"),
        ("translate", {"beam": 33}, "32 or less"),
        ("translate", {"beam": 0}, "beam must be a whole number from 1 to 32"),
        ("stream", {"beam": "0"}, "beam must be"),
        ("translate", {"beam": "x"}, "beam must be"),
        ("translate", {"text": 1}, "text must be"),
        ("stream", {"glossary": {"a": "b"}}, "does not go with a stream"),
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


def test_another_method_is_told_which_is_right(server: Running) -> None:
    reply = server.ask("/v1/translate", method="DELETE")
    assert reply.status == 405
    assert reply.headers["allow"] == "POST"
