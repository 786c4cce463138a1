from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import pytest

from heedful.errors import TrainingError
from heedful.text.bulk import crew
from heedful.text.bulk.crew import Crew
from heedful.text.bulk.messages import Setup
from heedful.text.bulk.pair_encoder import Encoded
from heedful.text.corpus import Block
from heedful.text.tidy import line_hashes
from heedful.text.tokenizer import Tokenizer

from ...proc import needs_proc
from ...waiting import wait_until


@pytest.fixture
def setup(tokenizers: dict[str, Tokenizer]) -> Setup:
    aside = line_hashes([f"the cat {number} {number % 3}" for number in range(9)]).tolist()
    return tokenizers["unigram"].to_bytes(), tokenizers["bpe"].to_bytes(), 100, tuple(aside)


def blocks(n: int = 9) -> Iterator[Block]:
    for number in range(n):
        text = "".join(f"the cat {number} {line}\n" for line in range(500 if number == 0 else 5))
        yield text.encode(), text.encode()


def encode_all(
    blocks: Iterable[Block], setup: Setup, *, n_processes: int
) -> Generator[Encoded, None, None]:
    with Crew(n_processes) as crew:
        yield from crew.encode(blocks, setup)


def facts(results: Iterator[Encoded]) -> list[tuple[object, ...]]:
    return [
        (out.source.ids.tolist(), out.target.ids.tolist(), out.hashes.tolist(), out.aside)
        for out in results
    ]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes of a crew, as they are started."""
    processes: list[subprocess.Popen[bytes]] = []
    begin = crew._Member.begin

    def listen(self: crew._Member, setup: Setup) -> None:
        processes.append(self._process)
        begin(self, setup)

    monkeypatch.setattr(crew._Member, "begin", listen)
    return processes


def test_however_many_processes_the_outcome_is_the_same_in_order(
    setup: Setup, started: list[subprocess.Popen[bytes]]
) -> None:
    alone = facts(encode_all(blocks(), setup, n_processes=1))
    assert not started
    assert len(alone) == 9
    assert {out[-1] for out in alone} == {1}  # of each block a pair is set aside
    assert facts(encode_all(blocks(), setup, n_processes=3)) == alone
    assert len(started) == 3
    assert all(process.poll() is not None for process in started)


def test_no_block_is_taken_long_before_it_is_wanted(setup: Setup) -> None:
    taken = []

    def watched() -> Iterator[Block]:
        for number, block in enumerate(blocks(40)):
            taken.append(number)
            yield block

    results = encode_all(watched(), setup, n_processes=2)
    next(results)
    assert len(taken) <= 4
    results.close()


def test_a_process_that_is_killed_is_told(
    setup: Setup, started: list[subprocess.Popen[bytes]]
) -> None:
    results = encode_all(blocks(40), setup, n_processes=2)
    next(results)
    started[0].kill()
    with pytest.raises(TrainingError, match=r"was ended by SIGKILL\. Was there enough"):
        list(results)
    assert all(process.poll() is not None for process in started)


def test_an_error_in_a_process_is_told(setup: Setup, capfd: pytest.CaptureFixture[str]) -> None:
    bad = (b"\xff\n", b"a\n")
    with pytest.raises(TrainingError, match="ended with code 1"):
        list(encode_all([*blocks(3), bad], setup, n_processes=2))
    assert "UnicodeDecodeError" in capfd.readouterr().err


def test_faults_of_the_text_end_the_processes(
    setup: Setup, started: list[subprocess.Popen[bytes]]
) -> None:
    def broken() -> Iterator[Block]:
        yield from blocks(3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(encode_all(broken(), setup, n_processes=2))
    assert all(process.poll() is not None for process in started)


def test_where_no_process_can_be_started_it_is_done_here(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = facts(encode_all(blocks(), setup, n_processes=1))
    for program in ("/bin/false", "/nowhere/python", ""):
        monkeypatch.setattr(sys, "executable", program)
        assert facts(encode_all(blocks(), setup, n_processes=2)) == alone


SCRIPT = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in background jobs
from heedful.text.bulk.crew import Crew

def blocks():
    while True:
        yield b"the cat\\n", b"the cat\\n"

side = Path(sys.argv[1]).read_bytes()
with Crew(2) as crew:
    for n, _ in enumerate(crew.encode(blocks(), (side, side, 9, ()))):
        if n == 5:
            print("running", flush=True)
"""


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_a_script(
    tokenizers: dict[str, Tokenizer], tmp_path: Path, number: signal.Signals
) -> None:
    """One without `if __name__ == "__main__"`, too."""
    (tmp_path / "script.py").write_text(SCRIPT)
    tokenizers["bpe"].save(tmp_path / "model")
    program = [sys.executable, str(tmp_path / "script.py"), str(tmp_path / "model")]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"running\n"
        children = _children(process.pid)
        assert len(children) == 2
        process.send_signal(number)
        process.wait()
        assert process.stderr
        told = process.stderr.read().decode()
    assert told.count("Traceback") == (number == signal.SIGINT)
    wait_until(lambda: not any(map(_runs, children)))


def _children(parent: int) -> list[int]:
    text = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(child) for child in text.split()]


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
