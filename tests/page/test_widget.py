"""A record in a notebook: the widget's own module, given a record as a notebook gives it."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

import pytest

from heedful.errors import InputError
from heedful.page.bundle import page_file
from heedful.page.widget import LANGUAGES, RecordWidget, widget
from heedful.see.recording.record import Record
from heedful.translator import Translator

from ..chromium import in_a_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page

SENTENCE = "The cat sees the dog here."

pytestmark = in_a_browser


def mount(page: Page, shown: RecordWidget, background: str) -> None:
    """As notebooks do: first it is drawn, then put into its place."""
    page.goto("about:blank")
    page.add_style_tag(content=shown._css)
    page.evaluate(
        """async ([script, traits, background]) => {
            document.body.style.background = background;
            const address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
            const { default: widget } = await import(address);
            const el = document.createElement("div");
            window.end = widget.render({ model: { get: (name) => traits[name] }, el });
            document.body.append(el);
        }""",
        [shown._esm, {"record": shown.record, "language": shown.language}, background],
    )
    page.wait_for_selector(".view .arcs")


def test_the_notebook_shows_the_same_view(page: Page, prose: Translator) -> None:
    mount(page, widget(prose.attend(SENTENCE, vectors="all"), language="ko"), "white")
    assert page.locator(".view .walk table").count() == 1
    assert "누가 누구를 보는가" in page.locator(".view").inner_text()


def test_a_language_that_it_does_not_speak(prose: Translator) -> None:
    with pytest.raises(InputError, match="'xx'; wanted \"en\""):
        widget(prose.attend(SENTENCE), "xx")
    assert set(re.findall(r"(\w\w): \"", page_file("labels.js").split("LANGUAGES = ")[1])) == set(
        LANGUAGES
    )


def test_it_is_as_dark_as_its_notebook(page: Page, prose: Translator) -> None:
    """Whatever the system's theme is, and when the notebook's changes."""
    looks = """() => {
        const stroke = document.querySelector('.arcs path').getAttribute('stroke');
        return [stroke, getComputedStyle(document.querySelector('.heedful')).backgroundColor];
    }"""
    for system in ("light", "dark"):
        page.emulate_media(color_scheme=system)
        mount(page, widget(prose.attend(SENTENCE)), "#111")
        assert page.locator(".heedful").get_attribute("data-theme") == "dark"
        in_the_dark = page.evaluate(looks)
        assert in_the_dark[1] == "rgb(24, 28, 34)"
        page.evaluate("document.body.style.background = 'white'")
        page.wait_for_selector('.heedful[data-theme="light"]')
        in_the_light = page.evaluate(looks)
        assert in_the_light[1] == "rgb(255, 255, 255)"
        assert in_the_light[0] != in_the_dark[0]
        page.evaluate("end(); document.body.style.background = '#111'")
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.locator(".heedful").get_attribute("data-theme") == "light"  # it has ended


def test_who_runs_no_widgets_sees_a_picture(prose: Translator) -> None:
    record = prose.attend(SENTENCE)
    content, _ = record._repr_mimebundle_()
    assert content["text/plain"] == f"{SENTENCE} → {record.target}"
    assert base64.b64decode(content["image/png"]).startswith(b"\x89PNG")
    assert "application/vnd.jupyter.widget-view+json" in content


def test_without_a_picture_there_is_still_a_widget(prose: Translator) -> None:
    """Such as of a record that has nothing over the source."""
    record = prose.attend(SENTENCE)
    encoder = tuple(a for a in record.attentions if a.kind == "encoder")
    alone = Record("s", "t", record.source_pieces, record.target_pieces, encoder)
    content, _ = alone._repr_mimebundle_()
    assert content["text/plain"] == "s → t"
    assert "image/png" not in content
