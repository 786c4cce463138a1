"""The copy for CTranslate2: made once, where it may be, and never half."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

import heedful
from heedful.engines import converted as module
from heedful.engines.converted import FORGOTTEN, ORIGIN, PLACE, _convert, _Origin, converted
from heedful.errors import ModelFolderError
from heedful.exports.ctranslate2 import write_ctranslate2
from heedful.exports.stored import StoredModel
from heedful.model_folder.card import read_card, save_card

LINE = "The cat sees the dog here."


@pytest.fixture
def folder(prose_run: Path, tmp_path: Path) -> Path:
    """A model folder of one's own, without the copy."""
    out = tmp_path / "model"
    out.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.model"):
        shutil.copy(prose_run / name, out / name)
    return out


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def change_weights(folder: Path) -> None:
    """And the card, which would call them damaged."""
    card = json.loads((folder / "config.json").read_text())
    card.pop("weights_digest", None)
    (folder / "config.json").write_text(json.dumps(card))
    changed = bytearray((folder / "model.safetensors").read_bytes())
    changed[-4000:] = changed[-8000:-4000]
    (folder / "model.safetensors").write_bytes(bytes(changed))


def test_made_once_in_the_model_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = converted(folder)
    assert place == folder / PLACE
    assert {"model.bin", "config.json", ORIGIN} <= {p.name for p in place.iterdir()}
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]
    monkeypatch.setattr(module, "_convert", None)  # it would be called now if it were
    assert converted(folder) == place


def test_a_copied_folder_needs_no_new_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    converted(folder)
    other = folder.with_name("other")
    shutil.copytree(folder, other)
    os.utime(other / "model.safetensors", (1, 1))
    monkeypatch.setattr(module, "_convert", None)
    assert converted(other) == other / PLACE


def test_other_weights_are_converted_anew(folder: Path, prose_run: Path) -> None:
    before = heedful.load(folder).translate(LINE)
    change_weights(folder)
    after = heedful.load(folder).translate(LINE)
    assert after.score != before.score
    assert after.score == pytest.approx(
        heedful.load(folder, engine="torch").translate(LINE).score, abs=1e-4
    )


def test_a_read_only_folder_uses_the_cache(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module._convert

    def refuse(source: Path, place: Path, origin: module._Origin) -> Path:
        if place.parent == folder:
            raise PermissionError  # root may write everywhere, so the system would not say it
        return real(source, place, origin)

    monkeypatch.setattr(module, "_convert", refuse)
    place = converted(folder)
    assert cache in place.parents
    assert not (folder / PLACE).exists()
    monkeypatch.setattr(module, "_convert", None)
    assert converted(folder) == place


def test_with_nowhere_to_write_torch_translates_unless_another_engine_is_insisted_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Path:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(module, "_convert", refuse)
    assert heedful.load(folder).engine.name == "torch"
    told = r"nor to .*cache.* \(Read-only file system\): mend that, or use --engine torch"
    with pytest.raises(ModelFolderError, match=told):
        heedful.load(folder, engine="ctranslate2")
    with pytest.raises(ModelFolderError, match=told):
        heedful.load(folder, quantize="int8")


def test_numbers_that_numpy_does_not_know_are_left_to_torch(folder: Path) -> None:
    change_weights(folder)
    path = folder / "model.safetensors"
    save_file({n: t.bfloat16() for n, t in load_file(path).items()}, path)
    translator = heedful.load(folder)
    assert translator.engine.name == "torch"
    assert translator.translate(LINE).text
    told = r"only torch can read .*use --engine torch"
    with pytest.raises(ModelFolderError, match=told):
        heedful.load(folder, engine="ctranslate2")
    with pytest.raises(ModelFolderError, match=told):
        heedful.load(folder, quantize="int8")
    assert not (folder / PLACE).exists()


def test_a_user_without_a_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user has no entry among the users."""

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    assert converted(folder) == folder / PLACE
    shutil.rmtree(folder / PLACE)
    (folder / PLACE).touch()  # in the way
    with pytest.raises(ModelFolderError, match=rf"written to {folder / PLACE} \(Not a directory\)"):
        converted(folder)


def test_weights_that_are_replaced_while_they_are_converted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a training does that goes on meanwhile."""

    def replace_and_write(stored: StoredModel, place: Path) -> None:
        change_weights(folder)
        write_ctranslate2(stored, place)

    with monkeypatch.context() as patch:
        patch.setattr("heedful.exports.ctranslate2.write_ctranslate2", replace_and_write)
        converted(folder)
    assert heedful.load(folder).translate(LINE).score == pytest.approx(
        heedful.load(folder, engine="torch").translate(LINE).score, abs=1e-4
    )


@pytest.mark.parametrize("content", ["{", "[]", "3", "{}", "[" * 100_000], ids=len)
def test_a_copy_of_unknown_origin_is_made_again(folder: Path, content: str) -> None:
    place = converted(folder)
    (place / ORIGIN).write_text(content)
    assert converted(folder) == place
    assert json.loads((place / ORIGIN).read_text())["digest"]


def test_a_broken_copy_is_made_again_or_told(folder: Path) -> None:
    expected = heedful.load(folder, engine="ctranslate2").translate(LINE)
    weights = folder / PLACE / "model.bin"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: len(whole) // 2])
    assert heedful.load(folder, engine="ctranslate2").translate(LINE) == expected
    assert weights.read_bytes() == whole
    weights.unlink()
    assert heedful.load(folder).translate(LINE) == expected
    weights.write_bytes(b"x" * len(whole))
    with pytest.raises(ModelFolderError, match="CTranslate2 could not open its copy"):
        heedful.load(folder, engine="ctranslate2")


def test_many_at_once_do_not_harm_each_other(folder: Path) -> None:
    """Threads that all find no copy, each converting and moving its own into place."""
    expected = heedful.load(folder, engine="torch").translate(LINE).text
    found: list[str] = []

    def work() -> None:
        for _ in range(4):
            shutil.rmtree(folder / PLACE, ignore_errors=True)
            found.append(str(converted(folder)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    assert heedful.load(folder, engine="ctranslate2").translate(LINE).text == expected
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


def test_a_right_copy_stays_where_it_is(folder: Path, tmp_path: Path) -> None:
    """Another process may be about to open it."""
    place = converted(folder)
    before = place.stat().st_ino
    _convert(folder, place, _Origin(folder))
    assert place.stat().st_ino == before
    (place / "model.bin").unlink()
    _convert(folder, place, _Origin(folder))
    assert place.stat().st_ino != before


def test_made_again_for_another_layer_that_tells_alignments(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which a training measures when the weights have long been there."""
    place = converted(folder)
    save_card(folder, read_card(folder).model_copy(update={"alignment_layer": 0}))
    assert not _Origin(folder).is_of(place)
    converted(folder)
    monkeypatch.setattr(module, "_convert", None)
    assert converted(folder) == place


def test_torch_is_not_even_imported(folder: Path) -> None:
    converted(folder)
    program = (
        "import sys, heedful; t = heedful.load(sys.argv[1]).translate(sys.argv[2]);"
        "print(t.text); print('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder), LINE],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    text, loaded = done.stdout.splitlines()
    assert text == heedful.load(folder, engine="torch").translate(LINE).text
    assert loaded == "False"


def test_what_killed_conversions_left_is_swept_up(folder: Path) -> None:
    old, new = folder / ".ctranslate2.old", folder / ".ctranslate2.new"
    for left in (old, new):
        left.mkdir()
        (left / "model.bin").write_bytes(b"half")
    long_ago = time.time() - 2 * FORGOTTEN
    os.utime(old, (long_ago, long_ago))
    converted(folder)
    assert not old.exists()
    assert new.exists()  # perhaps somebody is still at work
