"""Reports and comparisons as tables on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heedful.evaluation.compare import Comparison, MetricComparison, SystemResult
from heedful.evaluation.report import Report
from heedful.evaluation.scores import Score

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_MEANING = {
    "BLEU": "shared word n-grams; higher is better",
    "chrF": "shared character n-grams; higher is better",
    "TER": "edits and moves / reference words; lower is better",
    "exact match": "lines wholly right; higher is better",
    "line error rate": "lines not wholly right (SIGMORPHON's 'word error rate'); lower is better",
    "word error rate": "edits / reference words; lower is better",
}
_LEVEL = 0.05


def show(result: Report | Comparison, console: Console) -> None:
    """Print a report or a comparison as tables, with the signatures below."""
    match result:
        case Report():
            console.print(_report_table(result))
            signatures = [(score.name, score.signature) for score in result.sacre_scores]
        case Comparison():
            for metric in result.metrics:
                console.print(_comparison_table(metric, result.n_lines))
            console.print(
                f"p: the chance of so large a difference if the system were only as good as "
                f"{result.baseline}; * below {_LEVEL}",
                markup=False,
                highlight=False,
            )
            signatures = [(metric.name, metric.signature) for metric in result.metrics]
    for name, signature in signatures:
        # A signature is copied into papers: it must not be wrapped or coloured.
        console.print(f"{name}: {signature}", markup=False, highlight=False, soft_wrap=True)
    for note in result.notes:
        console.print(f"note: {note}", markup=False, highlight=False)


def _report_table(report: Report) -> Table:
    from rich.table import Table

    table = Table(title=f"{report.n_lines:,} lines", title_justify="left")
    table.add_column("score")
    table.add_column("%", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_column("what it counts")
    for score in report.scores:
        table.add_row(score.name, f"{score.value:.1f}", _interval(score), _MEANING[score.name])
    return table


def _interval(score: Score) -> str:
    if score.interval is None:
        return ""
    low, high = score.interval
    return f"{low:.1f} – {high:.1f}"


def _comparison_table(metric: MetricComparison, n_lines: int) -> Table:
    from rich.table import Table
    from rich.text import Text

    better = "lower" if metric.lower_is_better else "higher"
    title = f"{metric.name}, {n_lines:,} lines; {better} is better"
    table = Table(title=title, title_justify="left")
    table.add_column("system")
    for heading in ("%", "±", "difference", "p"):
        table.add_column(heading, justify="right")
    for result in metric.results:
        half = "" if result.confidence is None else f"{result.confidence:.1f}"
        # Text, since a system's name may hold brackets, which rich would take for markup.
        table.add_row(Text(result.system), f"{result.value:.1f}", half, *_against(result))
    return table


def _against(result: SystemResult) -> tuple[str, str]:
    if result.delta is None or result.p_value is None:
        return "baseline", ""
    star = " *" if result.p_value < _LEVEL else "  "
    return f"{result.delta:+.1f}", f"{result.p_value:.4f}{star}"
