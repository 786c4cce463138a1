"""`heedful see`, as it is typed: each picture of each kind of model, and what it refuses."""

from __future__ import annotations

import json
import re
import shutil
import signal
from pathlib import Path
from typing import get_args
from urllib.request import urlopen

import pytest

import heedful
from heedful.model_folder.card import read_card, save_card
from heedful.see.names import Picture

from ..see.samples import png_size, svg_texts
from ..trained import TINY, TINY_OF, Command, Text, is_told_briefly, run, start

SENTENCE = "The cat sees the dog here."
EVERY = get_args(Picture)
LACKS = {
    "rnn": {"step": "no queries, keys and values", "masks": "no attention",
            "projections": "no attention encoder 1", "positions": "no positions"},
    "bahdanau": {"projections": "no attention encoder 1", "positions": "no positions"},
    "luong": {"projections": "no attention encoder 1", "positions": "no positions"},
    "conv": {"projections": "no attention encoder 1"},
    "transformer": {},
}  # fmt: skip
"""What a model has nothing of to show, and why."""


@pytest.fixture(scope="module", params=list(TINY_OF))
def seen_run(
    request: pytest.FixtureRequest, prose_text: Text, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    kind: str = request.param
    out: Path = tmp_path_factory.mktemp("seen") / kind
    heedful.train(
        out=out, **prose_text.options, steps=20, threads=1, quiet=True,
        set=(*TINY_OF[kind], "training.batch_tokens=1024", "training.schedule=linear"),
    )  # fmt: skip
    return out


@pytest.mark.parametrize("name", EVERY)
def test_every_picture(seen_run: Path, name: str, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "seen.svg"
    sentence = [] if name == "curve" else [SENTENCE]
    answer = command("see", seen_run, *sentence, "--as", name, "--out", out)
    why = LACKS[seen_run.name].get(name)
    if why is None:
        assert answer.code == 0, answer.err
        assert svg_texts(out)
        assert str(out) in answer.out
    else:
        assert is_told_briefly(answer)
        assert why in answer.err
        assert not out.exists()


def test_a_sheet_of_several(seen_run: Path, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "sheet.png"
    answer = command("see", seen_run, SENTENCE, "--out", out)
    assert answer.code == 0, answer.err
    width, height = png_size(out)
    assert width > 1500
    assert height > 500


def texts_of(run: Path, tmp_path: Path, command: Command, *flags: object) -> list[str]:
    out = tmp_path / "seen.svg"
    answer = command("see", run, SENTENCE, "--out", out, *flags)
    assert answer.code == 0, answer.err
    return svg_texts(out)


def test_the_walk_tells_every_number(prose_run: Path, tmp_path: Path, command: Command) -> None:
    flags = ("--as", "step", "--kind", "encoder", "--layer", "1", "--head", "2", "--word", "cat")
    texts = texts_of(prose_run, tmp_path, command, *flags)
    record = heedful.load(prose_run).attend(SENTENCE)
    attention = record.get("encoder", 1)
    place = [query.strip("▁") for query in attention.queries].index("cat")
    for weight in attention.weights[1, place]:
        assert f"{weight:.2f}" in texts
    assert "q · k" in texts
    assert "softmax without ÷ √d_k" in texts


def test_the_six_steps_of_a_recurrent_model(
    prose_text: Text, tmp_path: Path, command: Command
) -> None:
    heedful.train(
        out=tmp_path / "luong", **prose_text.options, steps=5, threads=1, quiet=True,
        set=(*TINY_OF["luong"], "training.schedule=linear"),
    )  # fmt: skip
    texts = texts_of(tmp_path / "luong", tmp_path, command, "--as", "step")
    for step in ("1 scores", "2 softmax", "3 attention value", "4 concatenation", "5 tanh layer"):
        assert any(text.startswith(step) for text in texts)
    assert any(text.startswith("6 prediction: ") for text in texts)


def test_a_later_word_of_several_alike(prose_run: Path, tmp_path: Path, command: Command) -> None:
    flags = ("--as", "step", "--kind", "encoder", "--word", "the:1")
    assert any("“▁the”" in text for text in texts_of(prose_run, tmp_path, command, *flags))
    answer = command("see", prose_run, SENTENCE, "--as", "step", "--word", "the:2",
                     "--kind", "encoder", "--out", tmp_path / "x.svg")  # fmt: skip
    assert is_told_briefly(answer)
    assert "'the:2' does not look in encoder 1; these do: The" in answer.err


@pytest.mark.parametrize("word", ["here", "here.", "here:1"])
@pytest.mark.parametrize("name", ["arcs", "step"])
def test_a_word_is_known_without_the_marks_around_it(
    prose_run: Path, tmp_path: Path, command: Command, word: str, name: str
) -> None:
    flags = ("--as", name, "--kind", "encoder", "--word", word)
    assert texts_of(prose_run, tmp_path, command, *flags)


def test_the_rule_of_words_is_shown(prose_run: Path, tmp_path: Path, command: Command) -> None:
    strange = "Zeb."  # spelt in several pieces
    for name in ("alignment", "arcs"):
        out = tmp_path / f"{name}.svg"
        assert command("see", prose_run, strange, "--as", name, "--out", out).code == 0
        assert any("rows of their pieces averaged" in text for text in svg_texts(out))


def test_what_is_not_averaged_is_not_said_to_be(
    prose_run: Path, tmp_path: Path, command: Command
) -> None:
    """Arcs of several heads have a colour each; a map of them shows their mean."""
    arcs = texts_of(prose_run, tmp_path, command, "--as", "arcs")
    assert any(text.startswith("cross 1") for text in arcs)
    assert not any("mean" in text for text in arcs)
    heat_map = texts_of(prose_run, tmp_path, command, "--as", "alignment")
    assert any("cross 1, mean of 2 heads" in text for text in heat_map)


def test_a_run_that_draws_is_searched_to_be_seen(
    prose_run: Path, tmp_path: Path, command: Command
) -> None:
    run = tmp_path / "run"
    shutil.copytree(prose_run, run)
    card = json.loads((run / "config.json").read_text(encoding="utf-8"))
    card["decoding"]["sample"] = True
    (run / "config.json").write_text(json.dumps(card), encoding="utf-8")
    answer = command("see", run, SENTENCE, "--as", "search", "--out", tmp_path / "x.svg")
    assert answer.code == 0, answer.err


def test_weights_are_written_into_cells(prose_run: Path, tmp_path: Path, command: Command) -> None:
    plain = texts_of(prose_run, tmp_path, command, "--as", "alignment")
    numbers = texts_of(prose_run, tmp_path, command, "--as", "alignment", "--numbers")
    assert len(numbers) > len(plain) + 20


def test_a_target_of_ones_own(prose_run: Path, tmp_path: Path, command: Command) -> None:
    target = "La kato amas la hundon nun."
    flags = ("--as", "alignment", "--target", target)
    assert set(target.split()) <= set(texts_of(prose_run, tmp_path, command, *flags))


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("",), "the source has 0 tokens"),
        (("cat " * 500,), "tokens; 1 to"),
        ((SENTENCE, "--as", "arks"), "arcs"),
        ((SENTENCE, "--out", "x.bmp"), "'bmp'"),
        ((SENTENCE, "--as", "arcs", "--layer", "9", "--out", "x.png"), "no attention cross 9"),
        ((SENTENCE, "--as", "arcs", "--head", "9", "--out", "x.png"), "head"),
        (("--as", "arcs"), "write it behind the run"),
        ((SENTENCE, "another one", "--as", "arcs"), "one run and one sentence"),
        (("--save", "page.html"), "wants sentences"),
        ((SENTENCE, "--save", "page.html", "--as", "arcs"), "leave --as"),
        ((SENTENCE, "--save", "page.pdf"), "ends in .html"),
        ((SENTENCE, "--save", "page"), "ends in .html"),
        ((SENTENCE, "--as", "curve"), "of no sentence"),
        ((SENTENCE, "--as", "heads", "--head", "1"), "--head says nothing to --as heads"),
        ((SENTENCE, "--as", "masks", "--word", "cat"), "--word says nothing to --as masks"),
        ((SENTENCE, "--as", "arcs", "--numbers"), "--numbers says nothing"),
        ((SENTENCE, "--as", "arcs", "--word", "x:²"), "does not look"),
        (("--word", "cat"), "write it behind the run"),
        (("--target", "kato"), "write it behind the run"),
        ((SENTENCE, "--as", "arcs", "--layer", "0", "--out", "x.png"), "no attention cross 0"),
    ],
)
def test_what_cannot_be_seen(
    prose_run: Path, tmp_path: Path, flags: tuple[str, ...], told: str,
    command: Command, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    answer = command("see", prose_run, *flags)
    assert answer.code in (1, 2)
    assert told in answer.err
    assert not list(tmp_path.iterdir())


def test_no_run_to_see(tmp_path: Path, command: Command) -> None:
    for words in ((tmp_path / "none", SENTENCE), ()):
        answer = command("see", *words)
        assert is_told_briefly(answer)
        assert "a run to see is wanted" in answer.err
    (tmp_path / "empty").mkdir()
    assert is_told_briefly(command("see", tmp_path / "empty", SENTENCE))


def test_the_page_is_served_until_it_is_stopped(prose_run: Path) -> None:
    with start("see", prose_run, "--port", "0", "--no-browser") as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address
        with urlopen(address.group()) as answer:
            assert b"<title>" in answer.read()
        port = address.group().split(":")[2].strip("/")
        busy = run("see", prose_run, "--port", port, "--no-browser")
        assert is_told_briefly(busy)
        assert f"port {port} cannot be listened on" in busy.err
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert "Traceback" not in err


def test_a_record_is_kept_and_drawn_without_its_model(
    prose_run: Path, tmp_path: Path, command: Command
) -> None:
    kept = tmp_path / "kept.json"
    answer = command("see", prose_run, SENTENCE, "--out", kept)
    assert answer.code == 0, answer.err
    for name in ("alignment", "heads", "arcs", "step", "masks", "search"):
        mine, theirs = tmp_path / "mine.svg", tmp_path / "theirs.svg"
        assert command("see", kept, "--as", name, "--out", mine).code == 0
        assert command("see", prose_run, SENTENCE, "--as", name, "--out", theirs).code == 0
        assert mine.read_bytes() == theirs.read_bytes()
    assert is_told_briefly(command("see", kept, "--as", "curve"))
    other = command("see", kept, "--as", "arcs", "--target", "kato", "--out", tmp_path / "t.svg")
    assert is_told_briefly(other)
    assert "leave --target out" in other.err
    told = command("see", kept, "--as", "positions", "--out", tmp_path / "p.svg")
    assert is_told_briefly(told)
    assert "give its run, not a record" in told.err


def test_a_damaged_record_is_told(prose_run: Path, tmp_path: Path, command: Command) -> None:
    kept = tmp_path / "kept.json"
    assert command("see", prose_run, SENTENCE, "--out", kept).code == 0
    whole = kept.read_bytes()
    for damage in (whole[: len(whole) // 2], b"\xff\xfe", b"{}"):
        kept.write_bytes(damage)
        answer = command("see", kept, "--as", "arcs", "--out", tmp_path / "x.svg")
        assert is_told_briefly(answer)
        assert str(kept) in answer.err
    assert not (tmp_path / "x.svg").exists()


def test_one_head_against_two(prose_run: Path, tmp_path: Path, command: Command) -> None:
    flags = ("--as", "arcs", "--kind", "encoder", "--word", "cat")
    one = texts_of(prose_run, tmp_path, command, *flags, "--head", "2")
    two = texts_of(prose_run, tmp_path, command, *flags, "--head", "1", "--head", "2")
    assert any(text.startswith("encoder 1, head 2") for text in one)
    assert {"■ head 1", "■ head 2"} <= set(two)


def test_the_alignment_is_of_the_layer_that_the_card_names(
    prose_text: Text, tmp_path: Path, command: Command
) -> None:
    """As in translations and in the server."""
    run = tmp_path / "run"
    heedful.train(
        out=run, **prose_text.options, steps=2, threads=1, quiet=True,
        set=(*TINY, "model.n_layers=3"),
    )  # fmt: skip
    card = read_card(run)
    for layer, name in ((None, "cross 2"), (0, "cross 1"), (2, "cross 3")):
        save_card(run, card.model_copy(update={"alignment_layer": layer}))
        for flags in ((), ("--kind", "cross")):
            texts = texts_of(run, tmp_path, command, "--as", "alignment", *flags)
            assert any(text.startswith(name) for text in texts), (name, texts)
    texts = texts_of(run, tmp_path, command, "--as", "alignment", "--layer", 2)
    assert any(text.startswith("cross 2") for text in texts)
