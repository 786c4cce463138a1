"""How much do clients of the server wait, and what does the server cost beside the bare engine?

    HEEDFUL_DATA=… python benchmarks/serving.py [passes [run]]

A tiny model, trained for a minute unless a run is given, beam 4. Its sentences a second from
file to file, by the function that is all of `heedful translate` but the loading; the same sentences
asked for by 64 clients at once, one sentence each, over HTTP; and one client alone, its median wait
beside the engine's own for one sentence. The sentences are those of the validation and the test
text, twice over: with a thousand, a twentieth of the time goes by until all clients are at work,
and when most have ended. The same clients ask LibreTranslate too, which has the same model by
`heedful export --to argos`: once as it comes, and once with as many engines of one thread as there
are cores, and a thread for each client. All take turns; medians. Clients and server share the
machine: the CPU time that the clients took is told too. It fails if the clients get less than 0.85
of the rate from file to file, or if one alone waits 1.5 times as long as the engine takes, or more.
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

from clients import ALONE, CLIENTS, Server
from clients import run as run_clients
from common import heedful, keep
from exported import Installed
from serve import serve
from workload import make_texts, tiny_run

WARM_UP = 200
TIMES = 2  # that the sentences are gone through
LEAST, LONGEST = 0.85, 1.5  # of the rate from file to file; times the engine's own wait

ENGINE = """
import json, sys, time
import heedful
from heedful.streaming import put_into, write_translations
from heedful.text.lines import read_lines
run, source, target, alone = *sys.argv[1:4], int(sys.argv[4])
translator = heedful.load(run)
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
    package = folder / "model.argosmodel"
    heedful("export", run, "--to", "argos", "--out", package)
    plain = Installed("libretranslate", package, folder / "plain")
    yield "LibreTranslate", Server(*plain.libretranslate(), pair)
    tuned = Installed("libretranslate", package, folder / "tuned")
    workers = {"ARGOS_INTER_THREADS": str(os.cpu_count()), "ARGOS_INTRA_THREADS": "1"}
    started = tuned.libretranslate("--threads", str(CLIENTS), **workers)
    yield "LibreTranslate, tuned", Server(*started, pair)


class Engine:
    """heedful from file to file, in a process of its own."""

    def __init__(self, run: Path, source: Path) -> None:
        target = source.with_suffix(".translated")
        files = map(str, (run, source, target))
        command = [sys.executable, "-c", ENGINE, *files, str(ALONE)]
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

    def stop(self) -> None:
        """No more is asked."""
        self._process.communicate()


def main() -> None:
    """All in turn."""
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run, pair = tiny_run(texts, folder, sys.argv[2:]), ("en", texts.train.target.suffix[1:])
        load = folder / "load"
        load.write_bytes(TIMES * b"".join(t.source.read_bytes() for t in (texts.valid, texts.test)))
        lines = load.read_text(encoding="utf-8").splitlines()
        with ExitStack() as running:
            members: dict[str, Engine | Server] = {"engine": Engine(run, load)}
            running.callback(members["engine"].stop)
            ours = ("heedful", Server(*serve(run, "-".join(pair)), pair))
            for name, server in chain([ours], serve_libretranslate(run, pair, folder)):
                running.callback(server.stop)
                run_clients(server.many(lines[:WARM_UP]))
                members[name] = server
            figures = measure(members, [line.strip() for line in lines], passes)
    keep("serving", figures)
    if figures["ratio"] < LEAST or figures["times as long"] >= LONGEST:
        sys.exit(f"{LEAST} of the rate and less than {LONGEST} times the wait are wanted")


def measure(members: dict[str, Engine | Server], lines: list[str], passes: int) -> dict[str, Any]:
    """The medians."""
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in members}
    for _ in range(passes):
        for name, member in members.items():
            rows[name].append(member.measured(lines))
    found = {
        name: {key: statistics.median(row[key] for row in some) for key in some[0]}
        for name, some in rows.items()
    }
    engine, ours = found.pop("engine"), found["heedful"]
    ratios = [
        ours["rate"] / engine["rate"]
        for engine, ours in zip(rows["engine"], rows["heedful"], strict=True)
    ]
    figures: dict[str, Any] = {
        "sentences": len(lines),
        "sentences/s, file": round(engine["rate"]),
        f"sentences/s, {CLIENTS} clients": round(ours["rate"]),
        "ratio": round(ours["rate"] / engine["rate"], 2),
        "ratio of each turn": [round(ratio, 2) for ratio in ratios],
        "cores that the clients took": round(ours["cores"], 2),
        "ms, one sentence by the engine": round(1e3 * engine["wait"], 2),
        "ms, one sentence by one client": round(1e3 * ours["wait"], 2),
        "times as long": round(ours["wait"] / engine["wait"], 2),
    }
    for name in [name for name in found if name != "heedful"]:
        figures |= {
            f"sentences/s, {CLIENTS} clients, {name}": round(found[name]["rate"], 1),
            f"ms, one sentence by one client, {name}": round(1e3 * found[name]["wait"], 2),
        }
    return figures


if __name__ == "__main__":
    main()
