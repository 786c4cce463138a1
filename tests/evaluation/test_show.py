from __future__ import annotations

from rich.console import Console

from heedful.evaluation import Comparison, Report, compare, evaluate, show


def _shown(result: Report | Comparison) -> str:
    console = Console(width=120, record=True, quiet=False, file=None, force_terminal=False)
    with console.capture() as capture:
        show(result, console)
    return capture.get()


def test_a_report_names_both_error_rates() -> None:
    report = evaluate(["a b c d", "a b c x"], ["a b c d"] * 2, words=True, bootstrap=13)
    text = _shown(report)
    assert "SIGMORPHON's 'word error rate'" in text
    assert "edits / reference words" in text
    assert "12.5" in text
    assert report.bleu.signature in text
    assert report.chrf.signature in text
    assert report.ter is not None
    assert report.ter.signature in text
    assert "edits and moves / reference words; lower is better" in text


def test_a_comparison_with_brackets_in_a_name() -> None:
    lines = [f"this is line number {i} of many" for i in range(17)]
    wrong = [line.replace("is line", "was the line") for line in lines]
    comparison = compare({"runs/a [old]": wrong, "b": lines}, lines, trials=99, bootstrap=0)
    text = _shown(comparison)
    assert "runs/a [old]" in text
    assert "baseline" in text
    assert " *" in text
    assert comparison.metrics[0].signature in text
    assert "BLEU, 17 lines; higher is better" in text
    assert "TER, 17 lines; lower is better" in text


def test_notes_are_shown() -> None:
    lines = ["a sentence that ends so ."] * 100
    assert "note: 100 lines" in _shown(evaluate(lines, lines, words=False, bootstrap=0))
