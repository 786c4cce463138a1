"""The API of LibreTranslate, asked as its clients ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from heedful.translator import Translator

from ...trained import sentences
from ..served import Running, running

SENTENCE = sentences()[0][0]
ASKED = {"q": SENTENCE, "source": "en", "target": "eo"}


@pytest.fixture(scope="module")
def expected(prose: Translator) -> str:
    return prose.translate(SENTENCE).text


def multipart(fields: dict[str, str | tuple[str, bytes]]) -> tuple[bytes, dict[str, str]]:
    """A form with files, as browsers write it."""
    out = b""
    for name, value in fields.items():
        content, more = (
            (value.encode(), "")
            if isinstance(value, str)
            else (value[1], f'; filename="{value[0]}"')
        )
        out += f'--x\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode()
        out += content + b"\r\n"
    return out + b"--x--\r\n", {"Content-Type": "multipart/form-data; boundary=x"}


def test_json(server: Running, expected: str) -> None:
    assert server.ask("/translate", ASKED).data == {"translatedText": expected}
    assert server.ask("/translate", {**ASKED, "api_key": None, "format": "text"}).status == 200


def test_form(server: Running, expected: str) -> None:
    assert (
        server.ask("/translate", form={**ASKED, "api_key": ""}).data["translatedText"] == expected
    )
    raw, kind = multipart({**ASKED})
    assert server.ask("/translate", raw=raw, headers=kind).data["translatedText"] == expected


def test_query_with_an_empty_body(server: Running, expected: str) -> None:
    reply = server.ask("/translate?" + urlencode({**ASKED, "format": "text"}), raw=b"")
    assert reply.data == {"translatedText": expected}


def test_codes_in_any_case(server: Running, expected: str) -> None:
    assert server.translate(SENTENCE, source="EN", target="Eo") == expected


def test_lists(server: Running, prose: Translator) -> None:
    texts = [source for source, _ in sentences()[:5]]
    assert server.translate(texts) == [t.text for t in prose.translate(texts)]
    assert server.translate([""]) == [""]


def test_paragraphs_stay_as_they_were(server: Running, expected: str) -> None:
    assert server.translate(f"  {SENTENCE}\n\n\t{SENTENCE} {SENTENCE}\r\n") == (
        f"  {expected}\n\n\t{expected} {expected}\r\n"
    )


def test_alternatives(server: Running, prose: Translator) -> None:
    reply = server.ask("/translate", {**ASKED, "alternatives": 3}).data
    nbest = [t.text for t in prose.translate(SENTENCE, nbest=4).nbest]
    assert [reply["translatedText"], *reply["alternatives"]] == list(dict.fromkeys(nbest))
    several = server.ask("/translate", {**ASKED, "q": [SENTENCE] * 2, "alternatives": 1}).data
    assert [len(some) for some in several["alternatives"]] == [1, 1]


def test_html_keeps_its_markup(server: Running, prose: Translator) -> None:
    text = server.translate(f'<p class="x">{SENTENCE}</p><br>', format="html")
    assert text == f'<p class="x">{prose.translate(SENTENCE).text}</p><br>'
    words = SENTENCE.split()
    inline = server.translate(
        f"<p>{words[0]} <b>{words[1]}</b> {' '.join(words[2:])}</p>", format="html"
    )
    assert inline.count("<b>") == inline.count("</b>") == 1
    assert (
        inline.replace("<b>", "").replace("</b>", "") == f"<p>{prose.translate(SENTENCE).text}</p>"
    )


def test_a_glossary_is_one_field_more(server: Running) -> None:
    word = SENTENCE.split()[1]
    called, kept = {"glossary": {word: "testo"}}, {"keep": [word]}
    assert "testo" in server.translate(SENTENCE, **called)
    assert word in server.translate(SENTENCE, **kept)
    tagged = server.translate(f"<p>{SENTENCE}</p>", format="html", **called)
    assert tagged == f"<p>{server.translate(SENTENCE, **called)}</p>"
    form = {**ASKED, "glossary": json.dumps(called["glossary"])}
    assert "testo" in server.ask("/translate", form=form).data["translatedText"]


@pytest.mark.parametrize(("path", "name"), [("/translate", "q"), ("/v1/translate", "text")])
def test_terms_that_a_form_keeps(server: Running, path: str, name: str) -> None:
    """A list is JSON, and a term that only looks like one is a term."""
    words = SENTENCE.split()[1:3]
    form = {name: SENTENCE, "source": "en", "target": "eo"}
    usual = server.ask(path, form=form).body.decode()
    assert not any(word in usual for word in words)
    listed = server.ask(path, form={**form, "keep": json.dumps(words)}).body.decode()
    assert all(word in listed for word in words)
    assert words[0] in server.ask(path, form={**form, "keep": words[0]}).body.decode()
    for nothing in "[1]", f"[{words[0]}]", "[]":
        assert server.ask(path, form={**form, "keep": nothing}).body.decode() == usual


def test_fields_that_are_not_known_are_ignored(server: Running, expected: str) -> None:
    assert server.translate(SENTENCE, secret="x", glosary={"a": "b"}) == expected


def test_what_is_in_the_target_language_stays(server: Running) -> None:
    text = "Mi tre ŝatas legi librojn kaj paroli kun miaj amikoj en la urbo."
    reply = server.ask("/translate", {**ASKED, "q": text, "source": "auto"}).data
    assert reply["translatedText"] == text
    assert reply["detectedLanguage"]["language"] == "eo"


def test_auto(server: Running, expected: str) -> None:
    reply = server.ask("/translate", {**ASKED, "source": "auto"}).data
    assert reply["translatedText"] == expected
    assert reply["detectedLanguage"]["language"] == "en"
    assert 0 <= reply["detectedLanguage"]["confidence"] <= 100
    several = server.ask("/translate", {**ASKED, "q": [SENTENCE] * 2, "source": "auto"}).data
    assert [guess["language"] for guess in several["detectedLanguage"]] == ["en", "en"]


def test_detect(server: Running) -> None:
    reply = server.ask("/detect", {"q": "This is quite certainly an English sentence, my friend."})
    assert reply.data[0]["language"] == "en"
    assert reply.data[0]["confidence"] > 50
    assert {guess["language"] for guess in reply.data} <= {"en", "eo"}
    assert (
        server.ask("/detect", form={"q": "Ĉu vi parolas Esperanton, mia amiko?"}).data[0][
            "language"
        ]
        == "eo"
    )
    assert server.ask("/detect", {"q": "   "}).status == 200


def test_the_same_language_is_left_alone(server: Running) -> None:
    assert server.translate("Saluton.", source="eo", target="eo") == "Saluton."


def test_languages(server: Running) -> None:
    assert server.ask("/languages").data == [
        {"code": "en", "name": "English", "targets": ["eo"]},
        {"code": "eo", "name": "Esperanto", "targets": []},
    ]
    assert server.ask("/languages", form={"api_key": ""}, method="GET").status == 200


def test_health_and_settings(server: Running) -> None:
    assert server.ask("/health").data == {"status": "ok"}
    settings = server.ask("/frontend/settings").data
    assert set(settings) == {
        "apiKeys", "charLimit", "filesTranslation", "frontendTimeout", "keyRequired", "language",
        "suggestions", "supportedFilesFormat",
    }  # fmt: skip
    assert settings["language"]["source"] == {"code": "en", "name": "English"}


def test_metrics(server: Running) -> None:
    server.translate(SENTENCE)
    text = server.ask("/metrics").body.decode()
    assert 'heedful_requests_total{path="/translate",status="200"}' in text
    assert "heedful_batch_sentences_bucket" in text


def test_files(server: Running, expected: str) -> None:
    raw, kind = multipart(
        {"file": ("../a.TXT", f"{SENTENCE}\n".encode()), "source": "en", "target": "eo"}
    )
    reply = server.ask("/translate_file", raw=raw, headers=kind)
    url = reply.data["translatedFileUrl"]
    assert url.startswith(f"{server.address}/download_file/")
    found = server.ask(url.removeprefix(server.address))
    assert found.body.decode() == f"{expected}\n"
    assert found.headers["content-disposition"].startswith("attachment")
    assert server.ask("/download_file/none.txt").status == 404
    assert server.ask("/download_file/..%2f..%2fetc%2fpasswd").status == 404


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"q": None}, "missing q"),
        ({"q": ""}, "missing q"),
        ({"q": []}, "missing q"),
        ({"source": ""}, "missing source"),
        ({"target": None}, "missing target"),
        ({"q": "", "source": "", "target": ""}, "missing q"),
        ({"q": 5}, "q must be"),
        ({"q": [5]}, "q must be"),
        ({"q": {}}, "q must be"),
        ({"alternatives": None}, "alternatives must be"),
        ({"alternatives": "abc"}, "alternatives must be"),
        ({"alternatives": -1}, "alternatives must be"),
        ({"alternatives": True}, "alternatives must be"),
        ({"alternatives": 11}, "10 or less"),
        ({"source": "xx"}, "xx is not supported"),
        ({"target": "xx"}, "xx is not supported"),
        ({"source": "eo", "target": "en"}, "not supported as a target"),
        ({"format": "pdf"}, "not supported"),
        ({"q": "a" * 50_001}, "exceeds text limit"),
        ({"q": ["a"] * 201}, "201 texts"),
        ({"source": ["en"]}, "source must be"),
        ({"api_key": 5}, "api_key must be"),
        ({"glossary": [1]}, "glossary must be"),
        ({"keep": [""]}, "keep: ''"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told(server: Running, change: dict[str, Any], told: str) -> None:
    reply = server.ask("/translate", ASKED | change)
    assert reply.status == 400
    assert told in reply.data["error"]


@pytest.mark.parametrize("raw", [b"{", b"[1]", b'"x"', b"\xff", b"[" * 100_000, b"null"])
def test_what_is_no_json_is_told(server: Running, raw: bytes) -> None:
    reply = server.ask("/translate", raw=raw, headers={"Content-Type": "application/json"})
    assert reply.status == 400
    assert "JSON" in reply.data["error"]


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("multipart/form-data", b"--x\r\n\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: x\r\n\r\na\r\n--x--"),
        ("multipart/form-data; boundary=x", b"--y\r\n"),
        ("application/x-www-form-urlencoded", b"&".join(b"f%d=1" % n for n in range(60))),
    ],
)  # fmt: skip
def test_what_is_no_form_is_told(server: Running, kind: str, raw: bytes) -> None:
    reply = server.ask("/translate", raw=raw, headers={"Content-Type": kind})
    assert reply.status == 400
    assert "form" in reply.data["error"]


def test_letters_of_a_form_that_are_not_escaped_are_utf8(server: Running) -> None:
    """As curl -d leaves them."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = server.ask("/translate", raw="q=é+ü&source=eo&target=eo".encode(), headers=kind)
    assert reply.data == {"translatedText": "é ü"}


@pytest.mark.parametrize("path", ["/download_file/{name}", "/download_file/%7Bname%7D"])
def test_the_pattern_of_a_path_is_no_path(server: Running, path: str) -> None:
    assert server.ask(path).status == 404


def test_half_a_character_harms_nobody(server: Running) -> None:
    assert server.ask("/translate", raw=json.dumps(ASKED).replace("The", "\\ud800").encode(),
                      headers={"Content-Type": "application/json"}).status == 200  # fmt: skip


def test_too_large_a_request_is_not_read(server: Running) -> None:
    reply = server.ask(
        "/translate", raw=b"x" * 1_000_001, headers={"Content-Type": "application/json"}
    )
    assert reply.status == 413
    assert "1,000,000" in reply.data["error"]


def test_any_origin_may_ask(server: Running) -> None:
    for reply in (server.ask("/languages"), server.ask("/translate", {}), server.ask("/none")):
        assert reply.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-methods" not in reply.headers  # nobody reads it here
    preflight = server.ask("/translate", method="OPTIONS")
    assert preflight.status == 200
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "Authorization" in preflight.headers["access-control-allow-headers"]


def test_unknown_places_and_methods(server: Running) -> None:
    assert server.ask("/none").status == 404
    assert "error" in server.ask("/none").data
    assert server.ask("/translate").status == 405


def test_clients_of_others(server: Running, prose_run: Path, expected: str) -> None:
    """Unchanged, from PyPI."""
    from deep_translator import LibreTranslator
    from libretranslatepy import LibreTranslateAPI

    one = LibreTranslateAPI(f"{server.address}/")
    assert one.translate(SENTENCE, "en", "eo") == expected
    assert one.languages()[0]["code"] == "en"
    assert one.detect("This is quite certainly an English sentence.")[0]["language"] == "en"
    with running(prose_run, "--name", "en-de") as renamed:  # it knows no Esperanto
        address = f"{renamed.address}/"
        other = LibreTranslator(
            source="en", target="de", custom_url=address, api_key="x", use_free_api=False
        )
        assert other.translate(SENTENCE) == expected
