"""The pages of the server, in a real browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from heedful.serve.guard.keys import Keys
from heedful.translator import Translator

from ...chromium import in_a_browser
from ...trained import sentences
from ..served import Running, running

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = in_a_browser
SENTENCE = sentences()[0][0]
TRANSLATION = "document.querySelector('#translation').textContent"
HARM = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def box(prose_run: Path) -> Iterator[Running]:
    """In the same process of tests as the browser."""
    with running(prose_run, "--rate", 0) as found:
        yield found


def wait_for(page: Page, translation: str) -> None:
    """Until the page shows it."""
    page.wait_for_function(f"() => {TRANSLATION} === {json.dumps(translation)}")


def test_what_is_typed_is_translated(page: Page, box: Running, prose: Translator) -> None:
    page.goto(box.address)
    page.fill("#text", SENTENCE)
    expected = prose.translate(SENTENCE).text
    wait_for(page, expected)
    assert page.locator(".alternatives li").count() >= 1


def test_the_language_is_detected(page: Page, box: Running) -> None:
    page.goto(box.address)
    page.select_option("#source", "auto")
    page.fill("#text", "This is certainly an English sentence.")
    page.locator(".controls .note", has_text="English (").wait_for()
    page.fill("#text", "")
    page.wait_for_function("() => !document.querySelector('.controls .note').textContent")


@pytest.fixture(scope="module")
def both_ways(prose_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The same model twice, the second time under other names; no files."""
    back = tmp_path_factory.mktemp("runs") / "back"
    shutil.copytree(prose_run, back)
    names = ("--name", "en-eo", "--name", "eo-en")
    with running(prose_run, back, *names, "--files", 0, "--rate", 0) as found:
        yield found


def test_languages_are_swapped(page: Page, both_ways: Running, prose: Translator) -> None:
    page.goto(both_ways.address)
    page.fill("#text", SENTENCE)
    expected = prose.translate(SENTENCE).text
    wait_for(page, expected)
    page.focus("#source")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    again = prose.translate(expected).text
    wait_for(page, again)
    assert page.input_value("#text") == expected
    assert [page.input_value(name) for name in ("#source", "#target")] == ["eo", "en"]
    assert page.evaluate("document.activeElement.id") == "swap"
    page.select_option("#source", "auto")
    assert page.locator("#swap").is_disabled()


def test_what_was_just_typed_is_not_lost(page: Page, both_ways: Running, prose: Translator) -> None:
    page.goto(both_ways.address)
    page.fill("#text", SENTENCE)
    expected = prose.translate(SENTENCE).text
    wait_for(page, expected)
    longer = "a" * 50_001
    page.fill("#text", longer)
    page.evaluate("document.querySelector('#swap').click()")  # before it is asked for
    assert page.input_value("#text") == longer
    page.locator(".error", has_text="exceeds").wait_for()
    page.evaluate("document.querySelector('#swap').click()")  # after it was refused
    assert page.input_value("#text") == longer
    page.locator(".error", has_text="exceeds").wait_for()


def test_an_answer_that_comes_too_late_is_not_shown(page: Page, both_ways: Running) -> None:
    """It is about another text than the one that stands there now."""
    held: list[Route] = []
    page.route("**/translate", lambda route: held.append(route), times=1)
    page.goto(both_ways.address)
    page.fill("#text", SENTENCE)
    page.wait_for_timeout(600)
    page.fill("#text", "the other")
    held[0].fulfill(json={"translatedText": "of the first", "alternatives": []})
    page.wait_for_timeout(100)
    page.evaluate("document.querySelector('#swap').click()")
    assert page.input_value("#text") == "the other"


def test_languages_of_one_way_are_not_swapped(page: Page, box: Running) -> None:
    page.goto(box.address)
    page.locator("#swap").wait_for()
    assert page.locator("#swap").is_disabled()


def test_a_file_is_translated(page: Page, box: Running, prose: Translator) -> None:
    page.goto(box.address)
    name = f"{HARM.replace('/', '')}.txt"
    given = {"name": name, "mimeType": "text/plain", "buffer": f"- {SENTENCE}\n".encode()}
    page.set_input_files("#file", given)  # type: ignore[arg-type]  # a plain dict will do
    page.focus("#file")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    link = page.locator("#file-outcome a")
    link.wait_for()
    assert link.inner_text() == f"Download the translation of {name}"
    with page.expect_download() as download:
        link.click()
    assert download.value.path().read_text() == f"- {prose.translate(SENTENCE).text}\n"
    assert download.value.suggested_filename.endswith(".eo.txt")  # what else is harmless, stays
    assert page.locator("main img, main script").count() == 0


def test_a_translated_file_has_the_name_of_its_source(page: Page, box: Running) -> None:
    page.goto(box.address)
    given = {"name": "a letter.v2.txt", "mimeType": "text/plain", "buffer": SENTENCE.encode()}
    page.set_input_files("#file", given)  # type: ignore[arg-type]  # a plain dict will do
    page.click("#translate-file")
    with page.expect_download() as download:
        page.click("#file-outcome a")
    assert download.value.suggested_filename == "a letter.v2.eo.txt"


def test_why_a_file_is_not_translated(page: Page, box: Running, faults: list[str]) -> None:
    page.goto(box.address)
    page.click("#translate-file")
    page.locator("#file-outcome.error", has_text="Choose a file first").wait_for()
    given = {"name": "a.docx", "mimeType": "text/plain", "buffer": b"x"}
    page.set_input_files("#file", given)  # type: ignore[arg-type]  # a plain dict will do
    page.locator("#file-outcome:empty").wait_for(state="attached")
    page.click("#translate-file")
    page.locator("#file-outcome.error", has_text="this is no docx file").wait_for()
    assert page.locator("#translate-file").is_enabled()
    faults[:] = [fault for fault in faults if "400 (Bad Request)" not in fault]


def test_files_that_are_not_translated_cannot_be_chosen(page: Page, both_ways: Running) -> None:
    page.goto(both_ways.address)
    page.locator("#text").wait_for()
    assert page.locator("#file").count() == 0


def test_text_is_text(page: Page, box: Running) -> None:
    page.goto(box.address)
    answer = {"translatedText": HARM, "alternatives": [HARM]}
    page.route("**/translate", lambda route: route.fulfill(json=answer))  # the worst of models
    page.fill("#text", HARM)
    wait_for(page, HARM)
    assert page.locator(".alternatives li").inner_text() == HARM
    assert page.locator("main img, main script").count() == 0


def test_what_comes_in_otherwise_is_not_run(page: Page, box: Running, faults: list[str]) -> None:
    """Even if markup got into the page, its policy would hold."""
    page.goto(box.address)
    page.locator("#text").wait_for()
    page.evaluate(
        """() => {
            document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.harm = 1'>");
            const script = document.createElement("script");
            script.textContent = "window.harm = 2";
            document.body.append(script);
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.harm === undefined")
    assert any("Content Security Policy" in fault for fault in faults)
    faults.clear()


def test_too_long_a_text_is_told_and_not_cut(page: Page, prose_run: Path) -> None:
    """The limit is the server's, and characters are counted as it counts them."""
    with running(prose_run, "--characters", len(SENTENCE)) as server:
        page.goto(server.address)
        page.focus("#text")
        page.keyboard.insert_text("🐈" * len(SENTENCE))
        most = f"of {len(SENTENCE)} characters"
        page.locator("#amount:not(.error)", has_text=f"{len(SENTENCE)} {most}").wait_for()
        page.keyboard.insert_text("🐈")
        page.locator("#amount.error", has_text=f"{len(SENTENCE) + 1} {most}").wait_for()
        told = page.get_by_role("alert").filter(has_text="exceeds")
        told.filter(has_text="or translate it as a file").wait_for()
        assert page.input_value("#text") == "🐈" * (len(SENTENCE) + 1)
        page.fill("#text", SENTENCE)
        page.wait_for_function(f"() => {TRANSLATION} !== ''")
        assert told.count() == 0


def test_it_says_that_it_is_at_work(page: Page, box: Running) -> None:
    page.goto(box.address)
    held: list[Route] = []
    page.route("**/translate", lambda route: held.append(route))
    page.fill("#text", SENTENCE)
    at_work = page.get_by_role("status").filter(has_text="Translating …")
    at_work.wait_for()
    look = "getComputedStyle(document.querySelector('#working'), '::before').animationName"
    assert page.evaluate(look) == "turn"
    held[0].fulfill(json={"translatedText": "Jes.", "alternatives": []})
    wait_for(page, "Jes.")
    assert at_work.count() == 0


def test_it_says_that_it_is_at_work_on_a_file(page: Page, box: Running) -> None:
    page.goto(box.address)
    held: list[Route] = []
    page.route("**/translate_file", lambda route: held.append(route))
    given = {"name": "a.txt", "mimeType": "text/plain", "buffer": SENTENCE.encode()}
    page.set_input_files("#file", given)  # type: ignore[arg-type]  # a plain dict will do
    page.click("#translate-file")
    at_work = page.get_by_role("status").filter(has_text="Translating a.txt …")
    at_work.locator(".working").wait_for()
    held[0].continue_()
    page.locator("#file-outcome a").wait_for()
    assert at_work.count() == 0


def test_what_is_wrong_is_told(
    page: Page, box: Running, prose: Translator, faults: list[str]
) -> None:
    page.goto(box.address)
    answers = [{"status": 503, "json": {"error": "too much to do"}}, None]

    def refuse(route: Route) -> None:
        answer = answers.pop(0)
        route.fulfill(**answer) if answer else route.abort()  # type: ignore[arg-type]  # no list

    page.route("**/translate", refuse, times=2)
    told = page.get_by_role("alert")
    page.fill("#text", "Now!")
    told.filter(has_text="too much to do").wait_for()
    page.fill("#text", "Here!")
    told.filter(has_text="Failed to fetch").wait_for()
    assert page.locator("#working").inner_text() == ""
    page.fill("#text", SENTENCE)
    wait_for(page, prose.translate(SENTENCE).text)
    assert told.inner_text() == ""
    faults[:] = [fault for fault in faults if "Failed to load" not in fault]


def test_a_server_that_does_not_answer_is_told(page: Page, box: Running, faults: list[str]) -> None:
    page.route("**/frontend/settings", lambda route: route.abort())
    page.goto(box.address)
    page.get_by_role("alert").filter(has_text="cannot be shown: Failed to fetch").wait_for()
    faults[:] = [fault for fault in faults if "Failed to load" not in fault]


def test_where_it_looks_is_there_too(page: Page, box: Running) -> None:
    page.goto(box.address)
    page.click("text=See where the model looks")
    page.fill("#sentence", SENTENCE)
    page.keyboard.press("Enter")
    page.wait_for_selector(".view .arcs", timeout=120_000)
    page.locator(".view .head").first.click()
    page.locator(".view .load-walk").click()
    page.locator(".view .walk table").wait_for()


def test_where_it_looks_is_shown_to_who_has_a_key(
    page: Page, prose_run: Path, tmp_path: Path, faults: list[str]
) -> None:
    keys, secret = Keys([]).add("anna", rate=0)
    keys.write(tmp_path / "keys.json")
    with running(prose_run, "--keys", tmp_path / "keys.json", "--require-key") as server:
        page.goto(f"{server.address}/see/")
        for typed in "wrong", "falsch, ganz und gär", secret:
            page.fill("#key", typed)
            page.keyboard.press("Enter")
            if typed != secret:
                page.locator(".message", has_text="Invalid API key").wait_for()
                page.wait_for_function("() => document.querySelector('#key').value === ''")
        page.fill("#sentence", SENTENCE)
        page.keyboard.press("Enter")
        page.wait_for_selector(".view .arcs", timeout=120_000)
        page.locator(".view .head").first.click()
        page.locator(".view .load-walk").click()
        page.locator(".view .walk table").wait_for()
        assert secret not in page.url
    faults[:] = [fault for fault in faults if "40" not in fault]  # of the wrong keys


def test_the_api_can_be_read(page: Page, box: Running) -> None:
    page.goto(f"{box.address}/docs")
    section = page.locator("section", has=page.locator("h3", has_text="POST /v1/translate"))
    assert "0 to 10" in section.locator("tr", has_text="alternatives").first.inner_text()
    assert section.locator("pre", has_text=f"curl -s {box.address[7:]}/v1/translate").count() == 2
    assert page.locator("#refusals tr", has_text="1,000,000 bytes at most").count() == 1
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 400
