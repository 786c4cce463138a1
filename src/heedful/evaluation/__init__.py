"""Judging translations: scores over sacreBLEU, a report of one system, a test between several.

Importing this folder is quick: sacreBLEU and rich are loaded by the functions that need them.
"""

from heedful.evaluation.compare import Comparison, MetricComparison, SystemResult, compare
from heedful.evaluation.report import Report, evaluate
from heedful.evaluation.scores import Score, bleu, chrf, edit_distance, exact_match, word_error_rate
from heedful.evaluation.show import show

__all__ = [
    "Comparison",
    "MetricComparison",
    "Report",
    "Score",
    "SystemResult",
    "bleu",
    "chrf",
    "compare",
    "edit_distance",
    "evaluate",
    "exact_match",
    "show",
    "word_error_rate",
]
