"""What the page's pictures say of themselves, on the screen and as files; and what is told beside
them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from heedful.see.recording.record import Record
from heedful.see.recording.record_json import as_data
from heedful.translator import Translator

from ..chromium import in_a_browser
from ..see.samples import attention
from .test_page import SENTENCE, look, served

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = in_a_browser


@pytest.fixture(scope="module")
def address(prose: Translator) -> Iterator[str]:
    with served({"one": prose, "other": prose}) as address:
        yield address


def view(page: Page) -> Locator:
    return page.locator(".view").first


@pytest.mark.parametrize(
    ("n", "head", "name", "told"),
    [
        (0, 0, "arcs-cross-1.svg", ["translation to source, layer 1, all heads", "1", "2"]),
        (0, 2, "arcs-cross-1-head-2.svg", ["translation to source, layer 1, head 2"]),
        (1, 0, "weights-cross-1.svg", ["translation to source, layer 1, mean of 2 heads", "0"]),
        (1, 2, "weights-cross-1-head-2.svg", ["translation to source, layer 1, head 2", "0"]),
        (2, 0, "heads-cross.svg", ["Head 1", "Head 2", "Layer 1"]),
    ],
)
def test_a_file_says_what_it_shows(
    page: Page, address: str, n: int, head: int, name: str, told: list[str]
) -> None:
    look(page, address)
    view(page).locator('[data-key="head"]').select_option(index=head)
    with page.expect_download() as started:
        view(page).locator("figure").nth(n).get_by_role("button", name="SVG").click()
    assert started.value.suggested_filename == name
    root = ElementTree.fromstring(Path(started.value.path()).read_bytes())
    texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert set(told) <= set(texts)


def test_full_colour_is_the_largest_weight(page: Page, address: str, prose: Translator) -> None:
    look(page, address)
    words = prose.attend(SENTENCE).by_words().alignment
    most = 100 * float(words.weights.mean(axis=0).max())
    texts = view(page).locator(".heat-map .bar text").all_text_contents()
    assert texts == ["0", f"{most:.0f} %"]


def test_shades_are_even_steps(page: Page, address: str) -> None:
    page.goto(address)
    for dark in (False, True):
        shades: Any = page.evaluate(
            """async (dark) => {
                const { shade } = await import('/colours.js');
                return [0, 0.5, 1].map((weight) => shade(weight, dark));
            }""",
            dark,
        )
        for least, middle, most in zip(*shades, strict=True):
            assert middle == pytest.approx((least + most) / 2, abs=0.51)


@pytest.mark.parametrize(("room", "rows"), [(5000, 1), (1000, 2), (100, 16)])
def test_heads_that_find_no_room_go_on_below(
    page: Page, address: str, room: int, rows: int
) -> None:
    of = attention(heads=16)
    plain = as_data(Record("", "", of.keys, of.queries, (of,)))
    page.goto(address)
    found = page.evaluate(
        """async ([plain, room]) => {
            const { drawGrid } = await import("/grid.js");
            const { openRecord } = await import("/record.js");
            const look = { say: (name) => name, onPick() {} };
            const svg = drawGrid(openRecord(plain).attentions, {}, room, look);
            const places = [...svg.querySelectorAll(".head")].map((head) =>
                head.getAttribute("transform").match(/[\\d.]+/g).map(Number));
            return { places, width: Number(svg.getAttribute("width")) };
        }""",
        [plain, room],
    )
    assert len(found["places"]) == 16
    assert len({y for _, y in found["places"]}) == rows
    assert len({tuple(place) for place in found["places"]}) == 16
    if rows < 16:
        assert found["width"] <= room


def test_the_grid_fits_the_window(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 230, "height": 800})
    look(page, address)
    places = "heads => new Set(heads.map((head) => head.getBoundingClientRect().top)).size"
    n_layers = view(page).locator(".head").count() // 2
    page.wait_for_function(
        f"n => ({places})([...document.querySelector('.view').querySelectorAll('.head')]) === n",
        arg=2 * n_layers,
    )
    page.set_viewport_size({"width": 1200, "height": 800})
    page.wait_for_function(
        f"n => ({places})([...document.querySelector('.view').querySelectorAll('.head')]) === n",
        arg=n_layers,
    )


@pytest.mark.parametrize(("width", "are_beside"), [(1000, True), (800, False)])
def test_two_models_beside_each_other(
    page: Page, address: str, width: int, are_beside: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    look(page, address)
    one, other = (page.locator(".view").nth(n).bounding_box() for n in (0, 1))
    assert one is not None
    assert other is not None
    assert (one["y"] == other["y"]) is are_beside


def test_words_of_a_long_map_do_not_overlap(page: Page, address: str) -> None:
    page.goto(address)
    cell, letters = page.evaluate(
        """async () => {
            const { drawHeatMap } = await import("/heatmap.js");
            const words = Array.from({ length: 100 }, () => "word");
            const rows = words.map(() => new Float32Array(100).fill(0.01));
            const { svg } = drawHeatMap(words, words, rows, "", { say: (name) => name });
            const [one, other] = [...svg.querySelectorAll('[data-side="query"]')];
            const y = (word) => Number(word.getAttribute("y"));
            return [y(other) - y(one), Number(one.getAttribute("font-size"))];
        }"""
    )
    assert letters >= 12
    assert cell * 0.82 >= letters  # words above are tilted by 55°


def test_a_mask_is_offered_where_there_is_one(page: Page, address: str) -> None:
    look(page, address)
    view(page).locator(".load-walk").click()
    view(page).locator(".walk table").wait_for()
    assert view(page).get_by_label("Mask").count() == 0
    view(page).get_by_label("translation to itself").check()
    mask = view(page).get_by_label("Mask")
    mask.wait_for()
    row = view(page).locator(".walk th[scope=row]").nth(2)
    assert row.inner_text() == "masked"
    mask.uncheck()
    assert row.inner_text() == "mask off"


def test_a_forked_translation_says_so(page: Page, address: str) -> None:
    look(page, address)
    own = view(page).locator(".translation").inner_text()
    assert view(page).locator(".forced").count() == 0
    other = view(page).locator(".choices button").first
    piece = other.locator(".piece").inner_text()
    other.click()
    view(page).locator(".forced").wait_for()
    assert f"“{piece}”" in view(page).locator(".forced").inner_text()
    view(page).locator(".own").click()
    view(page).locator(".forced").wait_for(state="detached")
    assert view(page).locator(".translation").inner_text() == own


def test_a_server_that_is_gone(page: Page, address: str, faults: list[str]) -> None:
    look(page, address)
    page.route("**/api/*", lambda route: route.abort("connectionrefused"))
    view(page).locator(".load-walk").click()
    told = "heedful does not answer any more"
    view(page).locator(".part-walk .message", has_text=told).wait_for()
    for language, words in (("en", told), ("ko", "응답하지 않습니다")):
        page.select_option("#language", language)
        page.locator("#sentence").press("Enter")
        view(page).locator("> .message", has_text=words).wait_for()
    faults[:] = [fault for fault in faults if "ERR_CONNECTION_REFUSED" not in fault]


def test_positions_have_ticks_and_a_scale(page: Page, address: str) -> None:
    look(page, address)
    panel = view(page).locator("details:has(.part-positions)")
    panel.locator("summary").first.click()
    table, apart = (panel.locator("svg").nth(n) for n in (0, 1))
    apart.wait_for()
    assert table.locator(".bar text").all_text_contents()[0].startswith("-")
    assert apart.locator(".bar text").all_text_contents()[0] == "0"
    ticks = [t for t in apart.locator("text").all_text_contents() if re.fullmatch(r"\d+", t)]
    assert len(ticks) > 4
