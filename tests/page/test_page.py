"""The page in a real browser: typed into, pointed at, stepped through, saved, opened from disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

import heedful
from heedful.page.saved_page import save_page
from heedful.page.server import HOST, Answers, make_server
from heedful.see.recording.record_json import as_data
from heedful.see.recording.statistics import head_statistics
from heedful.see.recording.walk import walk
from heedful.translator import Translator

from ..chromium import in_a_browser
from ..trained import TINY_OF, sentences, write_pairs

if TYPE_CHECKING:
    from playwright.sync_api import Page

SENTENCE = "The cat sees the dog here."
HARM = "<img src=x onerror=alert(1)> \"'&</script><script>alert(2)</script>"

pytestmark = in_a_browser


def joined(pairs: list[tuple[str, str]]) -> tuple[str, str]:
    return " ".join(source for source, _ in pairs), " ".join(target for _, target in pairs)


def trained(kind: str, folder: Path, *changes: str, steps: int = 40) -> Translator:
    """A model that has met sentences of more than a hundred words."""
    short = sentences()[:300]
    long = [joined(short[n : n + 25]) for n in (0, 99)]
    heedful.train(
        out=folder / kind, **write_pairs(folder / f"{kind}-text", [*short, *long * 5]).options,
        steps=steps, threads=1, quiet=True,
        set=(*TINY_OF[kind], "training.batch_tokens=1024", "training.schedule=linear", *changes),
    )  # fmt: skip
    return heedful.load(folder / kind, engine="torch", threads=1)


@contextmanager
def served(models: dict[str, Translator]) -> Iterator[str]:
    """The address of their page."""
    server = make_server(Answers(models), 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://{HOST}:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return trained("transformer", tmp_path_factory.mktemp("seen"))


@pytest.fixture(scope="module")
def luong(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return trained("luong", tmp_path_factory.mktemp("seen"))


@pytest.fixture(scope="module")
def address(model: Translator, luong: Translator) -> Iterator[str]:
    with served({"transformer": model, "luong": luong}) as address:
        yield address


def look(page: Page, address: str, sentence: str = SENTENCE) -> None:
    page.goto(address)
    page.fill("#sentence", sentence)
    page.keyboard.press("Enter")
    page.wait_for_selector(".view .arcs")


def test_a_sentence_is_translated_and_seen(page: Page, address: str, model: Translator) -> None:
    look(page, address)
    expected = model.translate(SENTENCE, split_sentences=False).text
    assert page.locator(".view .translation").first.inner_text() == expected


def test_models_side_by_side(page: Page, address: str) -> None:
    look(page, address)
    assert page.locator(".view .arcs").count() == 2
    assert page.locator(".view .model").all_inner_texts()[1].startswith("luong")


def test_what_a_model_cannot_hold_is_told(page: Page, address: str, faults: list[str]) -> None:
    page.goto(address)
    page.fill("#sentence", "cat " * 900)
    page.keyboard.press("Enter")
    assert "tokens; 1 to" in page.locator(".view .message").first.inner_text()
    faults[:] = [fault for fault in faults if "400 (Bad Request)" not in fault]


def test_words_light_up_on_both_sides(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    ends = "paths => paths.flatMap((path) => path.getAttribute('d').match(/L[^M]*/g))"
    before = view.locator(".arcs path").evaluate_all(ends)
    view.locator('.word[data-side="query"]').nth(1).hover()
    assert len(view.locator(".arcs path").evaluate_all(ends)) > len(before)  # those of the word too
    assert view.locator(".band").get_attribute("visibility") == "visible"
    view.locator('.word[data-side="key"]').first.focus()
    assert view.locator(".band").get_attribute("visibility") == "visible"


@pytest.mark.parametrize("side", ["query", "key"])
def test_words_beside_the_map_light_up_too(page: Page, address: str, side: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    assert view.locator(".band").get_attribute("visibility") == "hidden"
    view.locator(f'.heat-map text[data-side="{side}"]').nth(1).hover()
    assert view.locator(".band").get_attribute("visibility") == "visible"
    lit = view.locator(f'.arcs .word[data-side="{side}"]').nth(1).locator(".patch")
    assert float(lit.evaluate("node => node.style.fillOpacity")) == 0.45


def test_heads_are_picked_from_the_grid(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    view.locator(".head").nth(1).click()
    assert view.locator(".head").nth(1).get_attribute("aria-pressed") == "true"
    colours = view.locator(".arcs path").evaluate_all(
        "ls => [...new Set(ls.map(l => l.getAttribute('stroke')))]"
    )
    assert colours == [view.locator(".head .colour").nth(1).get_attribute("fill")]


def test_the_walk_is_recomputed(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    view.locator(".head").first.click()
    view.locator(".load-walk").click()
    view.locator(".walk table").wait_for()
    rows = view.locator(".walk tr")
    softmax, recorded = rows.nth(4), rows.nth(5)
    assert softmax.locator("td").all_inner_texts() == recorded.locator("td").all_inner_texts()
    slider = view.locator('.walk input[type="range"]').first
    slider.fill("0.1")
    assert softmax.locator("td").all_inner_texts() != recorded.locator("td").all_inner_texts()


def test_sliders_and_mask(page: Page, address: str) -> None:
    """Of the translation's attention to itself, where the mask has something to say."""
    look(page, address)
    view = page.locator(".view").first
    view.get_by_label("translation to itself").check()
    view.locator(".head").first.click()
    view.locator(".load-walk").click()
    rows = view.locator(".walk tr")
    assert "−∞" in rows.nth(3).inner_text()
    recorded = rows.nth(5).locator("td").all_inner_texts()
    view.get_by_label("Mask").uncheck()
    assert "−∞" not in rows.nth(3).inner_text()
    view.get_by_label("Mask").check()
    divisor = view.get_by_label("Divisor")
    most = divisor.get_attribute("max")
    view.locator(".walk select").select_option("4")
    softmax = rows.nth(4).locator("td")
    usual = softmax.all_inner_texts()
    divisor.fill("1")
    assert softmax.all_inner_texts() != usual
    assert most is not None
    divisor.fill(most)
    assert softmax.all_inner_texts() == usual
    assert len(recorded) == len(usual)


def test_the_six_steps_of_a_recurrent_model(page: Page, address: str, luong: Translator) -> None:
    """Every number that is told is the record's."""
    look(page, address)
    view = page.locator(".view").nth(1)
    view.locator(".load-walk").click()
    view.locator(".walk table").wait_for()
    query = 2
    view.locator(".walk select").select_option(str(query))
    record = luong.attend(SENTENCE, vectors="all")
    seen = walk(record.get("cross", 1), 1, query)
    assert seen.joined is not None
    table = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in view.locator(".walk tr").all()[1:]
    }
    assert list(table) == [f"1 scores: {seen.score}", "2 softmax", "as recorded"]
    assert table[f"1 scores: {seen.score}"] == [f"{score:.2f}" for score in seen.products]
    assert table["2 softmax"] == [f"{weight:.2f}" for weight in seen.weights]
    steps = view.locator(".walk .step").all_inner_texts()
    assert steps == ["3 attention value", "4 concatenation (as recorded)",
                     "5 tanh layer (as recorded)", "6 prediction (as recorded)"]  # fmt: skip
    joined = [*seen.joined[:12], *seen.joined[-12:]]  # where it begins and where it ends
    for kind, vector in (("context", seen.context), ("joined", joined), ("made", seen.outcome)):
        told = view.locator(f".walk .{kind} .number").all_inner_texts()
        assert [float(n) for n in told] == pytest.approx([float(n) for n in vector], abs=0.006)
    assert f"… {len(seen.joined) - 24} more …" in view.locator(".joined").inner_text()
    predicted = view.locator(".walk .prediction .values").inner_text()
    assert predicted == ", ".join(
        f"{c.piece.lstrip('▁') or c.piece} {100 * c.probability:.1f} %"
        for c in record.predictions[query]
    )


def test_the_sliders_leave_what_was_recorded(page: Page, address: str) -> None:
    """The attention value follows them; what the model made of its own one does not."""
    look(page, address)
    view = page.locator(".view").nth(1)
    view.locator(".load-walk").click()
    view.locator(".walk table").wait_for()
    before = view.locator(".walk .values").all_inner_texts()
    view.get_by_label("Temperature").fill("0.1")
    after = view.locator(".walk .values").all_inner_texts()
    assert after[0] != before[0]
    assert after[1:] == before[1:]


def test_the_steps_are_told_in_korean(page: Page, address: str) -> None:
    look(page, address)
    page.select_option("#language", "ko")
    view = page.locator(".view").nth(1)
    view.locator(".load-walk").click()
    view.locator(".walk table").wait_for()
    names = view.locator(".walk th[scope=row], .walk .step").all_inner_texts()
    for step in ("1 스코어", "2 소프트맥스", "3 어텐션 값", "4 연결", "5 tanh 층", "6 예측"):
        assert any(name.startswith(step) for name in names), step


def test_an_encoder_predicts_nothing(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    view.get_by_label("source to itself").check()
    view.locator(".load-walk").click()
    view.locator(".walk table").wait_for()
    assert view.locator(".walk .step").all_inner_texts() == [
        "Σ weight × value",
        "W_O (as recorded)",
    ]
    view.get_by_label("translation to source").check()
    view.locator(".walk .prediction").wait_for()


def test_the_decoder_is_stepped_and_forked(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    before = view.locator(".translation").inner_text()
    view.locator(".forward").click()
    assert view.locator(".written .done").count() == 1
    other = view.locator(".choices button").first
    piece = other.locator(".piece").inner_text()
    other.click()
    page.wait_for_function(
        "before => document.querySelector('.view .translation').textContent !== before", arg=before
    )
    view = page.locator(".view").first
    assert piece in view.locator(".written").inner_text()
    assert view.locator(".written .done").count() == 1  # the reader is where they were
    forked, link = view.locator(".translation").inner_text(), page.url
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".view .arcs")
    assert view.locator(".translation").inner_text() == forked


def test_language_and_theme(page: Page, address: str) -> None:
    look(page, address)
    page.select_option("#language", "ko")
    assert page.locator("h1").inner_text() == "모델이 보는 곳"
    assert page.locator("html").get_attribute("lang") == "ko"
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.select_option("#theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_a_link_restores_the_view(page: Page, address: str) -> None:
    look(page, address)
    page.locator(".view").first.locator(".head").nth(1).click()
    link = page.url
    page.fill("#sentence", "The dog sees the cat here.")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !decodeURIComponent(location.hash).includes('The cat')")
    page.goto(link)  # in the same tab
    page.wait_for_function("() => document.querySelector('#sentence').value.startsWith('The cat')")
    page.locator(".head[aria-pressed=true]").first.wait_for()
    assert page.input_value("#sentence") == SENTENCE
    chosen = page.locator(".view").first.locator(".head").nth(1)
    assert chosen.get_attribute("aria-pressed") == "true"


def test_a_link_restores_the_walk(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    view.locator(".head").nth(1).click()
    view.locator(".load-walk").click()
    view.locator(".walk select").select_option("2")
    view.get_by_label("Temperature").fill("0.5")
    numbers = view.locator(".walk td").all_inner_texts()
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    view.locator(".walk table").wait_for()
    assert view.locator(".walk td").all_inner_texts() == numbers
    assert view.locator(".walk select").input_value() == "2"
    assert view.get_by_label("Temperature").input_value() == "0.5"


def test_a_new_sentence_begins_at_its_beginning(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    view.locator(".forward").click()
    view.locator(".forward").click()
    page.fill("#sentence", "The dog sees the cat here.")
    page.select_option("#language", "ko")  # what is typed stays
    assert page.input_value("#sentence") == "The dog sees the cat here."
    page.locator("#sentence").press("Enter")
    page.wait_for_function("() => decodeURIComponent(location.hash).includes('The dog')")
    assert page.locator(".view").first.locator(".written .done").count() == 0


def test_the_page_computes_what_python_does(page: Page, address: str, model: Translator) -> None:
    """Words and statistics, by both."""
    record = model.attend(SENTENCE, vectors="all")
    page.goto(address)
    found = page.evaluate(
        """async (plain) => {
            const { openRecord, byWords, headStatistics } = await import("/record.js");
            return openRecord(plain).attentions.map((attention) => {
                const words = byWords(attention);
                const heads = [...Array(attention.nHeads).keys()];
                return {
                    queries: words.queries, keys: words.keys, weights: [...words.weights],
                    statistics: heads.map((head) => headStatistics(attention, head)),
                };
            });
        }""",
        as_data(record),
    )
    for attention, told in zip(record.attentions, found, strict=True):
        words = attention.by_words()
        assert (tuple(told["queries"]), tuple(told["keys"])) == (words.queries, words.keys)
        assert told["weights"] == pytest.approx(words.weights.ravel().tolist(), abs=1e-6)
        for mine, other in zip(head_statistics(attention), told["statistics"], strict=True):
            assert (other["entropy"], other["distance"]) == pytest.approx(
                (mine.entropy, mine.distance), abs=1e-4
            )


def test_text_is_text(page: Page, address: str) -> None:
    look(page, address, HARM)
    assert page.locator("main img").count() == 0
    assert page.locator("main script").count() == 0


def test_the_keyboard_alone_will_do(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#sentence").focus()
    page.keyboard.type(SENTENCE)
    page.keyboard.press("Enter")
    page.wait_for_selector(".view .arcs")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('word')"):
            break
    first = page.evaluate("document.activeElement.dataset.index")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.index") != first
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('head')"):
            break
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(document.activeElement.closest('.choices'))"):
            break
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.classList.contains('forward')")


def test_an_empty_sentence_is_told(page: Page, address: str) -> None:
    page.goto(address)
    page.click('button[type="submit"]')
    assert "sentence" in page.locator(".message").inner_text()


def test_a_hundred_words_without_jank(page: Page, tmp_path: Path) -> None:
    """From pointing at a word, and from leaving it, to the frame that shows it: two frames of
    sixty a second, for nearly all words; with all heads of a model of the demo's size."""
    size = ("model.n_layers=4", "model.n_heads=4", "model.d_model=64")
    large = trained("transformer", tmp_path, *size, steps=2)
    with served({"large": large}) as address:
        look(page, address, "cat " * 99 + "dog")
        page.get_by_label("source to itself").check()
        assert page.locator(".head").count() == 16
        assert page.locator(".word").count() == 2 * (100 + 1)  # and the mark of the end
        took = page.evaluate(
            """async () => {
                const frame = () => new Promise(requestAnimationFrame);
                const words = [...document.querySelectorAll('.word')].filter((_, n) => n % 3 === 0);
                const times = [];
                for (const word of words) {
                    for (const name of ['mouseenter', 'mouseleave']) {
                        await frame();
                        const start = performance.now();
                        word.dispatchEvent(new MouseEvent(name));
                        document.body.getBoundingClientRect();  // what follows is laid out too
                        times.push(performance.now() - start);
                    }
                }
                return times.sort((a, b) => a - b)[Math.floor(0.9 * times.length)];
            }"""
        )
    assert took < 33


def test_it_begins_with_the_layer_that_tells_alignments(page: Page, tmp_path: Path) -> None:
    model = trained("transformer", tmp_path, "model.n_layers=3", steps=2)
    layer = page.locator("select[data-key=layer]")
    for known, shown in ((0, "1"), (1, "2")):
        model.card = model.card.model_copy(update={"alignment_layer": known})
        with served({"three": model}) as address:
            look(page, address)
            assert layer.input_value() == shown
            page.get_by_label("source to itself").check()
            assert layer.locator("option").count() == 3


def test_text_from_right_to_left(page: Page, address: str) -> None:
    look(page, address, "القطة ترى الكلب")
    assert page.evaluate("getComputedStyle(document.querySelector('#sentence')).direction") == "rtl"
    headers = page.locator(".view").first.locator(".part-table th[scope=col]")
    assert {header.get_attribute("dir") for header in headers.all()} == {"auto"}


@pytest.mark.parametrize("width", [360, 1900])
def test_from_phone_to_wide_screen(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    look(page, address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_play_and_pause(page: Page, address: str) -> None:
    look(page, address)
    view = page.locator(".view").first
    view.locator(".play").click()
    view.locator(".written .done").first.wait_for()
    assert view.locator(".play").inner_text() == "Pause"
    view.locator(".play").click()
    assert view.locator(".play").inner_text() == "Play"


@pytest.mark.parametrize(("button", "begins"), [("SVG", b"<svg"), ("PNG", b"\x89PNG")])
def test_pictures_are_saved(page: Page, address: str, button: str, begins: bytes) -> None:
    look(page, address)
    figures = page.locator(".view").first.locator("figure")
    for n, told in enumerate(["cat", "cat", "bits"]):  # arcs, map, all heads
        with page.expect_download() as started:
            figures.nth(n).get_by_role("button", name=button).click()
        content = Path(started.value.path()).read_bytes()
        assert content.startswith(begins)
        if button == "SVG":
            root = ElementTree.fromstring(content)
            assert told in "".join(root.itertext())


def test_positions(page: Page, address: str) -> None:
    look(page, address)
    panel = page.locator(".view").first.locator("details:has(.part-positions)")
    panel.locator("summary").first.click()
    panel.locator("svg").nth(1).hover()
    assert "↔" in panel.locator(".numbers").inner_text()


def test_what_is_seen_can_be_heard(page: Page, address: str) -> None:
    """Tables behind the pictures, names on what can be used."""
    look(page, address)
    view = page.locator(".view").first
    table = view.locator(".part-table table")
    assert (
        table.locator("th[scope=row]").count() == view.locator('.word[data-side="query"]').count()
    )
    for button in view.get_by_role("button").all():
        assert (button.get_attribute("aria-label") or button.inner_text()).strip()
    labelled = "e => e.labels?.length > 0 || e.ariaLabel || e.closest('label')"
    for field in page.locator("input, select").all():
        assert field.evaluate(f"e => Boolean(({labelled})(e))")


def test_saved_and_opened_from_disk(page: Page, model: Translator, tmp_path: Path) -> None:
    path = save_page(tmp_path / "page.html", {"transformer": model}, [SENTENCE, HARM])
    page.goto(path.as_uri())
    page.wait_for_selector(".view .arcs")
    assert page.locator("#sentences option").all_inner_texts() == [SENTENCE, HARM]
    page.select_option("#sentences", "1")
    page.locator(".view .walk table").wait_for()
    page.locator(".forward").click()
    assert page.locator(".choices button").count() == 0
    elsewhere = quote(json.dumps({"sentence": "no such sentence", "states": [{"head": 50}]}))
    page.goto("about:blank")
    page.goto(f"{path.as_uri()}#{elsewhere}")
    page.wait_for_selector(".view .arcs")
