"""The report of a comparison: Markdown to read, JSON to compute with, pictures to look at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from heedful.comparison.judged import Judged
from heedful.comparison.lengths import bleu_of, by_length
from heedful.comparison.pictures import draw_lengths
from heedful.evaluation import compare
from heedful.evaluation.compare import Comparison
from heedful.files import write_atomically

REPORT, FIGURES = "report.md", "report.json"
SAME_SIZE = 1.1  # times as many weights, or less


def write_report(
    out: Path,
    members: Sequence[Judged],
    failed: dict[str, str],
    *,
    command: str,
    conditions: str,
    blind: float | None = None,
) -> Path:
    """-> the Markdown file. Members stand in the order in which they were named; `blind` is the
    percentage of pronouns that who understands nothing has right."""
    found: dict[str, Any] = {"command": command, "conditions": conditions, "failed": failed}
    if blind is not None:
        found["pronouns_right_by_one_answer"] = blind
    found["members"] = [_figures(member) for member in members]
    parts = [f"# The family, compared\n\n`{command}`\n\n{conditions}"]
    if members:
        parts.append(_table(members, blind))
    if len(members) > 1:
        comparison = compare({m.name: m.texts for m in members}, members[0].references)
        found["comparison"] = comparison.to_dict()
        parts.append(_significance(comparison))
    if members:
        by_words = bleu_by_length(members)
        found["bleu_by_length"] = asdict(by_words)
        picture = draw_lengths(
            by_words.words, by_words.bleu, out / "pictures" / "bleu-by-length.png"
        )
        parts += [_lengths(by_words, picture.relative_to(out)), _alignments(members)]
    if failed:
        rows = "\n".join(f"- **{name}**: {why}" for name, why in failed.items())
        parts.append(f"## Not compared\n\n{rows}")
    write_atomically(out / FIGURES, json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    write_atomically(out / REPORT, "\n\n".join(parts) + "\n")
    return out / REPORT


@dataclass(frozen=True)
class ByLength:
    """BLEU of groups of lines, short sources first."""

    words: list[str]
    """Of a source in the group, such as "7–9"."""
    lines: list[int]
    """How many the group has."""
    bleu: dict[str, list[float]]
    """By member, group after group."""


def bleu_by_length(members: Sequence[Judged]) -> ByLength:
    """The same lines for all."""
    groups = by_length(members[0].sources)
    return ByLength(
        [group.name for group in groups],
        [len(group.lines) for group in groups],
        {m.name: [bleu_of(g, m.texts, m.references) for g in groups] for m in members},
    )


def _figures(member: Judged) -> dict[str, Any]:
    lines = {"sources", "references", "texts"}  # they stand in members/NAME.json
    return {key: value for key, value in asdict(member).items() if key not in lines}


def _table(members: Sequence[Judged], blind: float | None) -> str:
    pronouns = blind is not None
    heads = ["", "weights", "steps", "tokens/s", "training TFLOP", "BLEU", "chrF", "TER"]
    rows = [[*heads, "sentences/s"] + ["pronouns right"] * pronouns]
    rows.append(["---", *["---:"] * (len(rows[0]) - 1)])
    for member in members:
        row = [
            f"**{member.name}**<br>{member.summary}",
            f"{member.weights:,}",
            f"{member.steps:,}",
            f"{member.tokens_per_second:,.0f}",
            f"{member.training_flop / 1e12:,.2f}",
            _score(member.bleu),
            _score(member.chrf),
            _score(member.ter),
            f"{member.sentences_per_second:,.0f}",
        ]
        if pronouns:
            right = member.pronouns_right
            row.append("" if right is None else f"{right:.1f} %")
        rows.append(row)
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return f"{table}\n\n{_meanings(members, blind)}"


def _meanings(members: Sequence[Judged], blind: float | None) -> str:
    """What the table's columns mean."""
    first = members[0]
    most, fewest = (f(member.weights for member in members) for f in (max, min))
    ter = f", TER `{first.ter['signature']}` (lower is better)" if first.ter else ""
    told = (
        f"BLEU `{first.bleu['signature']}`, chrF `{first.chrf['signature']}`{ter}, on "
        f"{len(first.sources):,} lines, ± is half of the 95 % interval. Tokens/s: target tokens "
        f"while training, the median. Sentences/s: translated by torch, all alike. Training "
        f"FLOP: of matrix products, counted on some batches, times the tokens seen."
    )
    if most > SAME_SIZE * fewest:
        told += f" The largest has {most / fewest:.2f} times the weights of the smallest."
    if blind is not None:
        told += (
            f" Pronouns right: of those whose gender (or, in Korean, whose noun) hangs on what "
            f"“it” means, which only the rest of the sentence tells: a model must carry it to the "
            f"place where the pronoun is written. Always the same answer would be right in "
            f"{blind:.1f} %."
        )
    return told


def _score(score: dict[str, Any] | None) -> str:
    if score is None:
        return ""
    half = score.get("confidence")
    return f"{score['value']:.1f}" + (f" ± {half:.1f}" if half is not None else "")


def _significance(comparison: Comparison) -> str:
    rows = [
        f"| {result.system} | {metric.name} | {result.delta:+.1f} | {result.p_value:.4f} |"
        for metric in comparison.metrics
        for result in metric.results
        if result.delta is not None and result.p_value is not None
    ]
    head = f"| against {comparison.baseline} | | difference | p |\n|---|---|---:|---:|"
    note = (
        "p: how often two equally good systems would differ so much, by paired approximate "
        "randomisation of the same lines."
    )
    return "\n".join(["## Luck, or better?", "", head, *rows, "", note])


def _lengths(found: ByLength, picture: Path) -> str:
    rows = [
        f"| {name} | " + " | ".join(f"{value:.1f}" for value in values) + " |"
        for name, values in found.bleu.items()
    ]
    head = "| words of the source | " + " | ".join(found.words) + " |"
    lines = "| lines | " + " | ".join(map(str, found.lines)) + " |"
    table = "\n".join([head, "|---|" + "---:|" * len(found.words), lines, *rows])
    return (
        f"## BLEU against the length of a sentence\n\n![BLEU against length]({picture})\n\n{table}"
    )


def _alignments(members: Sequence[Judged]) -> str:
    pictures = [
        f"### {member.name}: {member.alignment_of}"
        + (f"\n\n![{member.name}]({member.alignment})" if member.alignment else "")
        for member in members
    ]
    return "\n\n".join(["## Where each looks in the same sentence", *pictures])
