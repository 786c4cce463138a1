"""What does a peer, OpenNMT-py, reach on Multi30k, English to German, raw text, in the same time?

    HEEDFUL_DATA=… python benchmarks/peer_budget.py [10m]

The clock starts with its process; heedful makes the vocabulary and the ids before. Its own command
translates, and heedful turns ids into text and scores it, as `heedful evaluate` would.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from common import data_folder, keep
from environments import HERE, PEERS, python_of
from heedful.batches.prepared import open_prepared
from heedful.evaluation import evaluate, show
from heedful.machine import granted_cores
from heedful.models.config import PRESETS
from heedful.text.corpus import ParallelCorpus
from heedful.training.config import parse_duration
from speed_report import is_quiet
from training_speed import run_peer
from workload import Workload, make_texts, make_workload

PEER = "opennmt-py"
BATCH_TOKENS = 3000
BEAM = 5


def main() -> None:
    """Trains, translates test2016, shows the scores, keeps the figures."""
    budget = sys.argv[1] if len(sys.argv) > 1 else "10m"
    data_folder()  # there must be one
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        test = make_texts(folder).test
        pairs = list(ParallelCorpus(source=test.source, target=test.target))
        trained = train(make_workload(folder), folder, parse_duration(budget))
        texts = translate([source for source, _ in pairs], folder)
    report = evaluate(texts, [reference.strip() for _, reference in pairs], words=False)
    package = PEERS[PEER].package
    scores = {"bleu": asdict(report.bleu), "chrf": asdict(report.chrf)}
    keep("peer_budget", {"peer": package, "budget": budget} | trained | scores, show=False)
    told = f"{trained['steps']:,} steps, {trained['target_tokens']:,} target tokens"
    print(f"{package}: {told} in {trained['seconds']:.0f} s")
    show(report, Console(highlight=False))


def train(workload: Workload, folder: Path, seconds: float) -> dict[str, Any]:
    """Leaves one checkpoint in the folder."""
    program = [python_of(PEER), HERE / "peers" / "budget_opennmt.py"]
    print(f"training {PEER} for {seconds:.0f} s …", file=sys.stderr, flush=True)
    started = time.time()
    job = PRESETS["transformer"]["tiny"] | {
        "text": str(workload.text),
        "heedful": workload.heedful,
        "out": str(folder),
        "vocabulary": workload.vocabulary,
        "pairs": workload.pairs,
        "batch_tokens": BATCH_TOKENS,
        "threads": granted_cores(),
        "warm_up_seconds": 0.0,
        "seconds": seconds,
        "started": started,
    }
    figures = run_peer(program, job)
    if not is_quiet(figures):
        busy = f"{figures['others']:.1f} cores"
        print(f"others kept {busy} busy meanwhile: measure again", file=sys.stderr)
    return figures | {"seconds": round(time.time() - started, 1)}


def translate(sources: list[str], folder: Path) -> list[str]:
    """By its own command, ids as words."""
    prepared = open_prepared(folder / "data")
    rows = [prepared.source_tokenizer.encode(source.strip()) for source in sources]
    source, out = folder / "test", folder / "translated"
    source.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    (checkpoint,) = folder.glob("model_step_*.pt")
    subprocess.run(
        [
            python_of(PEER), "-W", "ignore", "-m", "onmt.bin.translate", "-model", checkpoint,
            "-src", source, "-output", out, "-beam_size", str(BEAM),
        ],
        check=True,
        stdout=sys.stderr,
        # Its checkpoints hold its options too, which torch by default no longer reads.
        env=os.environ | {"TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD": "1"},
    )  # fmt: skip
    return [
        # What is no number is one of its own special words.
        prepared.target_tokenizer.decode([int(word) for word in line.split() if word.isdigit()])
        for line in out.read_text(encoding="utf-8").splitlines()
    ]


if __name__ == "__main__":
    main()
