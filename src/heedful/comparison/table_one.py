"""`heedful compare layers`: Table 1 of "Attention Is All You Need", measured on this machine."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track
from torch import nn

from heedful.comparison.compared_layers import HEADS, LAYERS, Layer, restricted
from heedful.comparison.pictures import draw_growth
from heedful.comparison.study import make_room, table, write_study
from heedful.errors import InputError
from heedful.machine import use_threads

NAME = "layers"
SHORTEST = NARROWEST = 64
LENGTH, BREADTH = 512, 256  # what stays the same while the other grows
PATH = 256  # positions that a path must cross
REPEATS = 5
WINDOWS = (32, 64, 128, 256, 512)

INTRODUCTION = (
    f"Time and memory grow with the length n (d = {BREADTH}) and with the width d (n = {LENGTH}) "
    f"as fitted over the larger half of the sizes; one sentence, {HEADS} heads. Steps in a row and "
    f"paths are for n = {PATH}. The path is the fewest sequential steps from the first input to "
    f"the last output, found by following what each output depends on; where a layer sees "
    f"neighbours alone, they are those before it: a window of r besides itself goes r places a "
    f"layer, a convolution k wide goes k - 1. In a row are the steps of a recurrence of which each "
    f"needs the state of the one before, found in the same way; the other layers take no steps, "
    f"but have all their outputs at once. Attention whose weights nobody keeps is computed block "
    f"by block: its time grows as n², its memory does not."
)


@dataclass(frozen=True)
class Point:
    """One measurement: a layer forward and backward."""

    n: int
    d: int
    seconds: float
    bytes: int


@dataclass(frozen=True)
class Measured:
    """A layer's growth, in length and in width."""

    name: str
    by_length: list[Point]
    by_width: list[Point]
    time_exponent_n: float
    time_exponent_d: float
    memory_exponent_n: float
    memory_exponent_d: float
    sequential_operations: int
    path: int
    dilated_path: int | None


def run_layers(out: Path, *, longest: int, widest: int, console: Console | None = None) -> Path:
    """Measures, fits, draws, writes -> the report."""
    lengths, widths = doubling(SHORTEST, longest), doubling(NARROWEST, widest)
    if len(lengths) < 3 or len(widths) < 3:
        raise InputError(
            f"--longest {longest} and --widest {widest}: at least {4 * SHORTEST} and "
            f"{4 * NARROWEST} are wanted, or there is no growth to see"
        )
    make_room(out)
    use_threads(None)
    console = console or Console(highlight=False)
    work = [(n, BREADTH) for n in lengths] + [(LENGTH, d) for d in widths]
    points: dict[tuple[int, int, int], Point] = {}
    for place, (n, d) in track(
        [(place, size) for place in range(len(LAYERS)) for size in work], "measuring",
        console=console,
    ):  # fmt: skip
        points[place, n, d] = measure(LAYERS[place].make(d), n, d)
    found = [
        _measured(
            layer,
            [points[place, n, BREADTH] for n in lengths],
            [points[place, LENGTH, d] for d in widths],
        )
        for place, layer in enumerate(LAYERS)
    ]
    windows = [r for r in WINDOWS if r <= longest // 4]
    by_window = [(r, measure(restricted(r), longest, BREADTH)) for r in windows]
    return _write(out, found, by_window, console)


def doubling(first: int, last: int) -> list[int]:
    """first, 2 first, 4 first, … up to last."""
    return [first * 2**i for i in range(max(0, last // first).bit_length())]


def measure(layer: nn.Module, n: int, d: int) -> Point:
    """The median time of some passes forward and backward, and the most memory of one."""
    x = torch.randn(1, n, d, requires_grad=True)

    def one_pass() -> None:
        layer(x).sum().backward()

    one_pass()
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        one_pass()
        times.append(time.perf_counter() - started)
    return Point(n, d, statistics.median(times), peak_bytes(one_pass))


def peak_bytes(work: Callable[[], None]) -> int:
    """The most that torch's allocator gave out at a time during the work, beyond the start."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        work()
    events = profile.profiler.kineto_results.events()
    changes = sorted((e.start_ns(), e.nbytes()) for e in events if e.name() == "[memory]")
    now = most = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """b of y = a x^b, by least squares over the logarithms of the larger half, or of two: there the
    fixed costs of a call are forgotten."""
    first = min(len(points) // 2, len(points) - 2)
    half = [(math.log(x), math.log(y)) for x, y in points[first:]]
    x_mean = statistics.mean(x for x, _ in half)
    y_mean = statistics.mean(y for _, y in half)
    above = sum((x - x_mean) * (y - y_mean) for x, y in half)
    return above / sum((x - x_mean) ** 2 for x, _ in half)


def _measured(layer: Layer, by_length: list[Point], by_width: list[Point]) -> Measured:
    d = 8
    return Measured(
        name=layer.name,
        by_length=by_length,
        by_width=by_width,
        time_exponent_n=exponent([(p.n, p.seconds) for p in by_length]),
        time_exponent_d=exponent([(p.d, p.seconds) for p in by_width]),
        memory_exponent_n=exponent([(p.n, p.bytes) for p in by_length]),
        memory_exponent_d=exponent([(p.d, p.bytes) for p in by_width]),
        sequential_operations=layer.find_steps(layer.make(d), PATH, d) if layer.find_steps else 1,
        path=layer.find_path(layer.make(d), PATH, d),
        dilated_path=layer.find_dilated(layer.make(d), PATH, d) if layer.find_dilated else None,
    )


def _windows(by_window: Sequence[tuple[int, Point]]) -> str:
    """How restricted attention grows with its window."""
    (first, *_), (last, point) = by_window[0], by_window[-1]
    seconds = exponent([(r, p.seconds) for r, p in by_window])
    memory = exponent([(r, p.bytes) for r, p in by_window])
    return (
        f"Restricted attention over {point.n:,} positions grows with its window, from r = {first} "
        f"to {last}, as r^{seconds:.2f} in time and r^{memory:.2f} in memory."
    )


def _write(
    out: Path,
    found: Sequence[Measured],
    by_window: Sequence[tuple[int, Point]],
    console: Console,
) -> Path:
    _draw(found, out / f"{NAME}.png")
    heads = ["layer", "paper", "time by n", "by d", "memory by n", "by d", "in a row", "paper",
             "path", "paper"]  # fmt: skip
    rows = [_row(m, layer) for m, layer in zip(found, LAYERS, strict=True)]
    text = [
        "# One layer of each kind, forward and backward",
        INTRODUCTION,
        table(heads, rows, left=len(heads)),
        _departures(found[0].by_length[-1].n),
        _windows(by_window),
    ]
    figures = {
        "layers": [asdict(m) for m in found],
        "restricted_by_window": [{"window": r, **asdict(p)} for r, p in by_window],
    }
    return write_study(out, NAME, figures, text, console)


def _draw(found: Sequence[Measured], path: Path) -> None:
    by_n, by_d = f"positions n, d = {BREADTH}", f"width d, n = {LENGTH}"
    time_by_n = {m.name: [(p.n, 1e3 * p.seconds) for p in m.by_length] for m in found}
    time_by_d = {m.name: [(p.d, 1e3 * p.seconds) for p in m.by_width] for m in found}
    memory_by_n = {m.name: [(p.n, p.bytes / 2**20) for p in m.by_length] for m in found}
    memory_by_d = {m.name: [(p.d, p.bytes / 2**20) for p in m.by_width] for m in found}
    panels = (
        (time_by_n, by_n, "milliseconds"),
        (time_by_d, by_d, "milliseconds"),
        (memory_by_n, by_n, "MiB"),
        (memory_by_d, by_d, "MiB"),
    )
    draw_growth(panels, path)


def _row(m: Measured, layer: Layer) -> list[str]:
    return [
        m.name,
        layer.complexity,
        f"n^{m.time_exponent_n:.2f}",
        f"d^{m.time_exponent_d:.2f}",
        f"n^{m.memory_exponent_n:.2f}",
        f"d^{m.memory_exponent_d:.2f}",
        f"{m.sequential_operations:,}",
        layer.sequential,
        f"{m.path}" + (f", dilated {m.dilated_path}" if m.dilated_path else ""),
        layer.path,
    ]


def _departures(longest: int) -> str:
    """Why the exponents need not be the paper's, which counts multiplications alone."""
    weights = 4 * HEADS * longest**2 / 2**20
    return (
        f"The paper counts the multiplications of matrix products, and these have the paper's "
        f"powers here too; other work has not. Softmax and mask take n² operations a head, or r·n, "
        f"whatever d is: attention may grow more slowly than d. Each of a recurrence's n steps is "
        f"some calls, whatever d is: it may grow more slowly than d². Weights that are kept are "
        f"{weights:,.0f} MiB for {longest:,} positions, written and read again: once no cache "
        f"holds them, time may grow faster than n²."
    )
