"""From the runs of `training_speed.py` to its table: medians, spreads, ratios, useful work."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from statistics import median
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

import heedful
from environments import Peer
from heedful.models.config import PRESETS

OURS = "heedful"
BUSY = 0.1
"""Cores. A run beside which others kept more of them busy counts only for want of a better one."""
Run = dict[str, Any]


def versions(peers: Mapping[str, Peer]) -> dict[str, str]:
    """Of all that took part."""
    pinned = {name: peer.package for name, peer in peers.items()}
    ours = {"python": platform.python_version(), "torch": torch.__version__}
    return ours | {OURS: heedful.__version__} | pinned


def summary(runs: list[Run], vocabulary: int) -> dict[str, Any]:
    """For each size and peer the medians and spreads; for heedful its useful work too."""
    multiply = [run["gflops"] for run in runs if run["peer"] == "multiply"]
    found: dict[str, Any] = {"matrix_multiply_gflops": _spread(multiply, 1)}
    for size in dict.fromkeys(run["size"] for run in runs):
        trained = [run for run in runs if run["size"] == size and run["peer"] != "multiply"]
        rows: dict[str, Any] = {}
        for peer in dict.fromkeys(run["peer"] for run in trained):
            every = [run for run in trained if run["peer"] == peer]
            mine = _quiet(every)
            rows[peer] = {
                "tokens_per_second": _spread([r["target_tokens"] / r["seconds"] for r in mine]),
                "peak_mib": _spread([r["peak_mib"] for r in mine]),
                "cores_busy_otherwise": _spread([r["others"] for r in mine], 2),
                "runs": len(every),
                "quiet_runs": sum(is_quiet(run) for run in every),
            }
        if OURS in rows:
            ours = _quiet([run for run in trained if run["peer"] == OURS])
            work = [_useful_flop(run, vocabulary) / run["seconds"] / 1e9 for run in ours]
            rows[OURS]["useful_gflops"] = _spread(work, 1)
            share = median(work) / found["matrix_multiply_gflops"]["median"]
            rows[OURS]["share_of_multiply"] = round(share, 3)
        _add_ratios(rows)
        found[size] = rows
    return found


def is_quiet(run: Run) -> bool:
    """Whether it had the machine to itself."""
    return bool(run["others"] <= BUSY)


def _quiet(runs: list[Run]) -> list[Run]:
    return [run for run in runs if is_quiet(run)] or runs


def _add_ratios(rows: dict[str, Any]) -> None:
    """Each against the fastest peer, by medians."""
    speeds = {peer: row["tokens_per_second"]["median"] for peer, row in rows.items()}
    others = [speed for peer, speed in speeds.items() if peer != OURS]
    for peer, row in rows.items():
        row["ratio_to_fastest_peer"] = round(speeds[peer] / max(others), 2) if others else None


def _spread(values: list[float], digits: int = 0) -> dict[str, float]:
    """Median, least and most."""
    figures = {"median": median(values), "least": min(values), "most": max(values)}
    return {key: round(value, digits) for key, value in figures.items()}


def _useful_flop(run: Run, vocabulary: int) -> float:
    """Six for each weight of a matrix and each real token that passes it: two forward, four back.

    Looking up an embedding is none, nor are biases and norms, nor the attention itself.
    """
    size = PRESETS["transformer"][run["size"]]
    square, ff = size["d_model"] ** 2, 2 * size["d_model"] * size["d_ff"]
    # The cross-attention's keys and values are made from the source.
    source = size["n_layers"] * (4 * square + ff + 2 * square)
    target = size["n_layers"] * (4 * square + 2 * square + ff) + vocabulary * size["d_model"]
    return float(6 * (source * run["source_tokens"] + target * run["target_tokens"]))


def show(found: dict[str, Any], title: str) -> None:
    """One table on standard output."""
    table = Table(title=f"Training speed: {title}")
    for name in ("size", "trainer"):
        table.add_column(name, no_wrap=True)
    for name in ("target tokens/s", "least–most", "to fastest peer", "peak MiB", "quiet runs"):
        table.add_column(name, justify="right", no_wrap=" " not in name)
    multiply = found["matrix_multiply_gflops"]
    notes = [f"matrix multiply: {_text(multiply)} GFLOPS"]
    for size, rows in found.items():
        if size not in PRESETS["transformer"]:
            continue
        for peer, row in rows.items():
            speed, ratio = row["tokens_per_second"], row["ratio_to_fastest_peer"]
            table.add_row(
                size,
                peer,
                f"{speed['median']:,.0f}",
                f"{speed['least']:,.0f}–{speed['most']:,.0f}",
                "" if ratio is None else f"{ratio:.2f}",
                f"{row['peak_mib']['most']:,.0f}",
                f"{row['quiet_runs']} of {row['runs']}",
            )
        table.add_section()
        if OURS in rows:
            work, share = rows[OURS]["useful_gflops"], rows[OURS]["share_of_multiply"]
            notes.append(f"{OURS} {size}: {_text(work)} useful GFLOPS, {share:.1%} of it")
    console = Console(highlight=False)
    console.print(table)
    console.print("\n".join(notes))


def _text(spread: dict[str, float]) -> str:
    return f"{spread['median']:.1f} ({spread['least']:.1f}–{spread['most']:.1f})"
