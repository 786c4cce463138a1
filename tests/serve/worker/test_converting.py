"""A copy for CTranslate2 is made elsewhere: the server never has torch."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

import heedful
from heedful.errors import ModelFolderError
from heedful.serve.worker import converting
from heedful.serve.worker.converting import convert

from ...proc import needs_proc
from ...trained import TINY, Command, Text, is_told_briefly, sentences
from ...waiting import wait_until
from ..served import Running, running
from ..test_signals import rewritten

SENTENCE = sentences()[0][0]


@pytest.fixture
def fresh_run(prose_run: Path, tmp_path: Path) -> Path:
    """One that nobody has translated with yet."""
    run = tmp_path / "run"
    shutil.copytree(prose_run, run, ignore=shutil.ignore_patterns("ctranslate2"))
    return run


def has_torch(server: Running) -> bool:
    return "libtorch" in Path(f"/proc/{server.process.pid}/maps").read_text(encoding="utf-8")


@needs_proc
def test_the_server_never_has_torch(fresh_run: Path, prose_text: Text, tmp_path: Path) -> None:
    """Neither when it starts, nor when it takes up a new version."""
    newer = tmp_path / "newer"
    heedful.train(out=newer, **prose_text.options, source_lang="en", target_lang="eo", steps=3,
                  threads=1, set=(*TINY, "training.seed=5"), quiet=True)  # fmt: skip
    with running(fresh_run, "--rate", 0) as server:
        expected = heedful.load(fresh_run, engine="torch", threads=1).translate(SENTENCE).text
        assert server.translate(SENTENCE) == expected
        assert not has_torch(server)
        for name in ("model.safetensors", "tokenizer.model", "config.json"):
            shutil.copy(newer / name, fresh_run / name)
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "the new version is served" in "".join(server.log))
        assert not has_torch(server)


def damage(run: Path) -> None:
    weights = run / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4])


def change_a_bit(run: Path) -> None:
    weights = run / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0")


def halve(run: Path) -> None:
    card = json.loads((run / "config.json").read_text(encoding="utf-8"))
    card.pop("weights_digest")
    (run / "config.json").write_text(json.dumps(card), encoding="utf-8")
    path = run / "model.safetensors"
    save_file({name: tensor.bfloat16() for name, tensor in load_file(path).items()}, path)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (damage, "is damaged or cut short"),
        (change_a_bit, "is damaged, or of another model"),
        (halve, "only torch can read"),
    ],
)
def test_what_is_wrong_is_told_as_ever(
    harm: object, told: str, fresh_run: Path, command: Command
) -> None:
    assert callable(harm)
    harm(fresh_run)
    answer = command("serve", fresh_run, "--port", 0)
    assert is_told_briefly(answer)
    assert told in answer.err
    assert str(fresh_run) in answer.err


def test_with_nowhere_to_write_torch_serves(fresh_run: Path) -> None:
    """Root may write everywhere: so something is in the way."""
    expected = heedful.load(fresh_run, engine="torch", threads=1).translate(SENTENCE).text
    (fresh_run / "ctranslate2").touch()
    env = os.environ | {"XDG_CACHE_HOME": str(fresh_run / "ctranslate2")}
    with running(fresh_run, env=env) as server:
        assert server.translate(SENTENCE) == expected
    (line,) = [line for line in server.log if "torch" in line]
    assert line.startswith(f"{fresh_run}: served by torch alone, which is slower: the copy ")
    assert line.count("(Not a directory)") == 2
    assert "--engine" not in line


@pytest.mark.parametrize("is_late", [True, False])
def test_a_new_version_that_torch_alone_could_serve(fresh_run: Path, is_late: bool) -> None:
    """The old one is served on, if that has a copy."""
    if is_late:
        convert(fresh_run)
    else:
        (fresh_run / "ctranslate2").touch()
    env = os.environ | {"XDG_CACHE_HOME": str(fresh_run / "ctranslate2")}
    with running(fresh_run, "--rate", 0, env=env) as server:
        before = server.translate(SENTENCE)
        if is_late:
            shutil.rmtree(fresh_run / "ctranslate2")
            (fresh_run / "ctranslate2").touch()  # in the way
        rewritten(fresh_run, max_length=1)
        server.process.send_signal(signal.SIGHUP)
        told = "the old version is served on: the copy" if is_late else "the new version is served"
        wait_until(lambda: told in "".join(server.log))
        assert (server.translate(SENTENCE) == before) is is_late
        assert ("by torch alone" in "".join(server.log)) is not is_late


SLOW = """
import sys, time
from pathlib import Path
from heedful.exports import ctranslate2
def slow(stored, place):
    (place / "begun").touch()
    time.sleep(600)
ctranslate2.write_ctranslate2 = slow
from heedful.serve.worker.converting import main
del sys.argv[:3]
main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_the_server(number: signal.Signals, fresh_run: Path, tmp_path: Path) -> None:
    """And takes away what it has begun."""
    convert(fresh_run)
    python = tmp_path / "python"
    python.write_text(f"#!{sys.executable}{SLOW}", encoding="utf-8")
    python.chmod(0o755)
    first = (
        f"import os, sys\nif 'HEEDFUL_BEGAN_ANEW' in os.environ: sys.executable = {str(python)!r}"
    )
    with running(fresh_run, first=first) as server:
        shutil.rmtree(fresh_run / "ctranslate2")
        rewritten(fresh_run, beam=2)
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: list(fresh_run.glob(".ctranslate2.*/begun")))
        server.process.send_signal(number)
        assert server.process.wait(timeout=60) == (-number if number == signal.SIGKILL else 0)
        wait_until(lambda: not list(fresh_run.glob(".ctranslate2.*")))


def test_a_process_that_dies(fresh_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For want of memory, say."""
    program = f"#!{sys.executable}\nimport os\nos.kill(os.getpid(), {int(signal.SIGKILL)})\n"
    python = fresh_run / "python"
    python.write_text(program, encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(python))
    with pytest.raises(ModelFolderError, match=r"was not made: .* ended with -9"):
        convert(fresh_run)


def test_a_copy_that_is_there_is_not_made_again(
    fresh_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert(fresh_run)
    monkeypatch.setattr(converting, "subprocess", None)  # it would be asked now
    convert(fresh_run)
    assert (fresh_run / "ctranslate2" / "model.bin").exists()
