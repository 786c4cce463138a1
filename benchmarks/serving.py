"""How much do clients of the server wait, and what does the server cost beside the bare engine?

    HEEDFUL_DATA=… python benchmarks/serving.py [passes [run]]

A tiny model, beam 4: unless a run is given, one of ten minutes, the budget of README's first
command. Its sentences a second from file to file, by the function that is all of `heedful
translate` but the loading; the same sentences asked for by 64 clients at once, one sentence each,
over HTTP, as long as all 64 are at work; and one client alone, its median wait beside the engine's
own for one sentence. The sentences are those of the validation and the test text, twice over. All
of this as it comes, in float32, and with int8 on both sides; and what that costs in BLEU. The same
clients ask LibreTranslate too, which has the same model by `heedful export --to argos`: once as it
comes, and once with as many engines of one thread as there are cores, a thread for each client, and
int8 (as it comes, int8 is the slower for it), in the first turns. All take turns; medians, and of
the file's rate and the server's the median of the turns' ratios: both change from minute to minute
with what else is at work on a machine that is shared. Clients and server share it too: the CPU time
that the clients took is told. It fails if the server as it comes gives the clients less than 0.85
of the rate from file to file, or has one alone wait 1.5 times as long as the engine takes, or more;
or if a sentence reads otherwise for one client alone than beside 63 others.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import sacrebleu

from clients import ALONE, CLIENTS, Server
from clients import run as run_clients
from common import heedful, keep
from exported import Installed
from serve import serve
from workload import make_texts, tiny_run

WARM_UP = 200
TIMES = 2  # that the sentences are gone through
OTHERS = 5  # turns in which LibreTranslate is asked too
LEAST, LONGEST = 0.85, 1.5  # of the rate from file to file; times the engine's own wait
USUAL, SMALL = "float32", "int8"  # what heedful computes with as it comes, and with --quantize

ENGINE = """
import json, sys, time
import heedful
from heedful.streaming import put_into, write_translations
from heedful.text.lines import read_lines
run, source, target, numbers, alone = *sys.argv[1:5], int(sys.argv[5])
translator = heedful.load(run, quantize=None if numbers == "float32" else numbers)
some = list(read_lines(source))[:alone]
translator.translate(some, beam=4)
for _ in sys.stdin:
    started = time.perf_counter()
    with open(target, "w", encoding="utf-8") as out:
        put = put_into(out)
        write_translations(
            translator, read_lines(source), put, as_json=False, options={"beam": 4}
        )
    whole = time.perf_counter() - started
    waits = []
    for line in some:
        started = time.perf_counter()
        translator.translate(line, beam=4)
        waits.append(time.perf_counter() - started)
    print(json.dumps([whole, waits]), flush=True)
"""


def serve_libretranslate(
    run: Path, pair: tuple[str, str], folder: Path
) -> Iterator[tuple[str, Server]]:
    """As it comes, and set to this machine and these clients."""
    whole, small = folder / "whole.argosmodel", folder / "small.argosmodel"
    heedful("export", run, "--to", "argos", "--out", whole)
    heedful("export", run, "--to", "argos", "--quantize", SMALL, "--out", small)
    plain = Installed("libretranslate", whole, folder / "plain")
    yield "LibreTranslate", Server(*plain.libretranslate(), pair)
    tuned = Installed("libretranslate", small, folder / "tuned")
    workers = {"ARGOS_INTER_THREADS": str(os.cpu_count()), "ARGOS_INTRA_THREADS": "1"}
    started = tuned.libretranslate("--threads", str(CLIENTS), **workers)
    yield "LibreTranslate, tuned", Server(*started, pair)


class Engine:
    """heedful from file to file, in a process of its own."""

    def __init__(self, run: Path, source: Path, numbers: str) -> None:
        self._target = source.with_suffix(f".{numbers}")
        files = map(str, (run, source, self._target))
        command = [sys.executable, "-c", ENGINE, *files, numbers, str(ALONE)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measured(self, lines: list[str]) -> dict[str, float]:
        """All lines at once, and the median of one."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        whole, waits = json.loads(self._process.stdout.readline())
        return {"rate": len(lines) / whole, "wait": statistics.median(waits)}

    def bleu(self, references: list[str]) -> float:
        """Of what it wrote last."""
        lines = self._target.read_text(encoding="utf-8").splitlines()
        return float(sacrebleu.corpus_bleu(lines, [references]).score)

    def stop(self) -> None:
        """No more is asked."""
        self._process.communicate()


def main() -> None:
    """All in turn."""
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run = tiny_run(texts, folder, sys.argv[2:], budget="10m")
        pair = "en", texts.train.target.suffix[1:]
        load = folder / "load"
        load.write_bytes(TIMES * b"".join(t.source.read_bytes() for t in (texts.valid, texts.test)))
        lines = load.read_text(encoding="utf-8").splitlines()
        references = [
            line
            for text in (texts.valid, texts.test)
            for line in text.target.read_text(encoding="utf-8").splitlines()
        ]
        with ExitStack() as running:
            engines = {numbers: Engine(run, load, numbers) for numbers in (USUAL, SMALL)}
            for engine in engines.values():
                running.callback(engine.stop)
            servers: dict[str, Server] = {}
            for name, server in chain(
                serve_heedful(run, pair), serve_libretranslate(run, pair, folder)
            ):
                running.callback(server.stop)
                run_clients(server.many(lines[:WARM_UP]))
                servers[name] = server
            figures = measure(engines, servers, [line.strip() for line in lines], passes)
            for numbers, engine in engines.items():
                figures[numbers]["BLEU"] = round(engine.bleu(TIMES * references), 2)
                differ = run_clients(servers[numbers].otherwise(list(dict.fromkeys(lines))))
                figures[numbers]["sentences that read otherwise in company"] = differ
    keep("serving", figures)
    usual = figures[USUAL]
    if usual["ratio"] < LEAST or usual["times as long"] >= LONGEST:
        sys.exit(f"{LEAST} of the rate and less than {LONGEST} times the wait are wanted")
    if usual["sentences that read otherwise in company"]:
        sys.exit("no answer may depend on who else is asking")


def serve_heedful(run: Path, pair: tuple[str, str]) -> Iterator[tuple[str, Server]]:
    """With either kind of numbers."""
    name = "-".join(pair)
    yield USUAL, Server(*serve(run, name), pair)
    yield SMALL, Server(*serve(run, name, "--quantize", SMALL), pair)


def measure(
    engines: dict[str, Engine], servers: dict[str, Server], lines: list[str], passes: int
) -> dict[str, Any]:
    """The medians."""
    of_engines: dict[str, list[dict[str, float]]] = {name: [] for name in engines}
    of_servers: dict[str, list[dict[str, float]]] = {name: [] for name in servers}
    for turn in range(passes):
        for name, server in servers.items():
            if name not in engines:
                if turn < OTHERS:
                    of_servers[name].append(server.measured(lines))
            elif turn % 2:  # neither is always the first
                of_servers[name].append(server.measured(lines))
                of_engines[name].append(engines[name].measured(lines))
            else:
                of_engines[name].append(engines[name].measured(lines))
                of_servers[name].append(server.measured(lines))
    figures: dict[str, Any] = {"sentences": len(lines)}
    for name, rows in of_servers.items():
        ours = _medians(rows)
        figures[name] = {
            f"sentences/s, {CLIENTS} clients": round(ours["rate"]),
            "ms, one sentence by one client": round(1e3 * ours["wait"], 2),
            "cores that the clients took": round(ours["cores"], 2),
        }
        if name in engines:
            figures[name] |= _beside(rows, of_engines[name])
    return figures


def _beside(
    ours: list[dict[str, float]], engine: list[dict[str, float]]
) -> dict[str, float | list[float]]:
    """What the same engine does from file to file, and alone."""
    rates = [one["rate"] / other["rate"] for one, other in zip(ours, engine, strict=True)]
    served, bare = _medians(ours), _medians(engine)
    return {
        "sentences/s, file": round(bare["rate"]),
        "ratio": round(statistics.median(rates), 2),
        "ratio of each turn": [round(rate, 2) for rate in rates],
        "ms, one sentence by the engine": round(1e3 * bare["wait"], 2),
        "times as long": round(served["wait"] / bare["wait"], 2),
    }


def _medians(rows: list[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(row[key] for row in rows) for key in rows[0]}


if __name__ == "__main__":
    main()
