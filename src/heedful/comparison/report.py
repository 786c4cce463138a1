"""The report of a comparison: Markdown to read, JSON to compute with, pictures to look at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from heedful.comparison.judged import Judged
from heedful.comparison.lengths import bleu_of, by_length
from heedful.comparison.pictures import draw_lengths
from heedful.evaluation import compare
from heedful.files import write_atomically

REPORT, FIGURES = "report.md", "report.json"


def write_report(
    out: Path, members: Sequence[Judged], failed: dict[str, str], *, command: str
) -> Path:
    """-> the Markdown file. Members stand in the order in which they were named."""
    found: dict[str, Any] = {"command": command, "failed": failed, "members": []}
    parts = [f"# The family on the same data and time\n\n`{command}`"]
    if members:
        found["members"] = [_figures(member) for member in members]
        parts += [_table(members), *_significance(members, found), _lengths(out, members, found)]
        parts.append(_alignments(members))
    if failed:
        rows = "\n".join(f"- **{name}**: {why}" for name, why in failed.items())
        parts.append(f"## Not compared\n\n{rows}")
    write_atomically(out / FIGURES, json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    write_atomically(out / REPORT, "\n\n".join(parts) + "\n")
    return out / REPORT


def _figures(member: Judged) -> dict[str, Any]:
    lines = {"sources", "references", "texts"}  # they stand in members/NAME.json
    return {key: value for key, value in asdict(member).items() if key not in lines}


def _table(members: Sequence[Judged]) -> str:
    pronouns = any(member.pronouns_right is not None for member in members)
    heads = ["", "weights", "steps", "tokens/s", "training PFLOP", "BLEU", "chrF", "sentences/s"]
    rows = [heads + ["pronouns right"] * pronouns]
    rows.append(["---", *["---:"] * (len(rows[0]) - 1)])
    for member in members:
        row = [
            f"**{member.name}**<br>{member.summary}",
            f"{member.weights:,}",
            f"{member.steps:,}",
            f"{member.tokens_per_second:,.0f}",
            f"{member.training_flop / 1e15:.3f}",
            _score(member.bleu),
            _score(member.chrf),
            f"{member.sentences_per_second:,.0f}",
        ]
        if pronouns:
            right = member.pronouns_right
            row.append("" if right is None else f"{right:.1f} %")
        rows.append(row)
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    first = members[0]
    return (
        f"{table}\n\nBLEU `{first.bleu['signature']}`, chrF `{first.chrf['signature']}`, on "
        f"{len(first.sources):,} lines, ± is half of the 95 % interval. Tokens/s: target tokens "
        f"while training, the median. Sentences/s: translated by torch, all alike. Training "
        f"FLOP: of matrix products, counted on a batch, times the tokens seen."
    )


def _score(score: dict[str, Any]) -> str:
    half = score.get("confidence")
    return f"{score['value']:.1f}" + (f" ± {half:.1f}" if half is not None else "")


def _significance(members: Sequence[Judged], found: dict[str, Any]) -> list[str]:
    if len(members) < 2:
        return []
    first = members[0]
    comparison = compare({m.name: m.texts for m in members}, first.references)
    found["comparison"] = comparison.to_dict()
    rows = [
        f"| {result.system} | {metric.name} | {result.delta:+.1f} | {result.p_value:.4f} |"
        for metric in comparison.metrics
        for result in metric.results
        if result.delta is not None and result.p_value is not None
    ]
    head = f"| against {first.name} | | difference | p |\n|---|---|---:|---:|"
    return ["## Luck, or better?\n\n" + "\n".join([head, *rows])]


def _lengths(out: Path, members: Sequence[Judged], found: dict[str, Any]) -> str:
    groups = by_length(members[0].sources)
    curves = {m.name: [bleu_of(g, m.texts, m.references) for g in groups] for m in members}
    found["bleu_by_length"] = {
        "words": [group.name for group in groups],
        "lines": [len(group.lines) for group in groups],
        "bleu": curves,
    }
    picture = draw_lengths(
        [group.name for group in groups], curves, out / "pictures" / "bleu-by-length.png"
    )
    rows = [
        f"| {name} | " + " | ".join(f"{value:.1f}" for value in values) + " |"
        for name, values in curves.items()
    ]
    head = "| words of the source | " + " | ".join(group.name for group in groups) + " |"
    lines = "| lines | " + " | ".join(str(len(group.lines)) for group in groups) + " |"
    table = "\n".join([head, "|---|" + "---:|" * len(groups), lines, *rows])
    return (
        f"## BLEU against the length of a sentence\n\n"
        f"![BLEU against length]({picture.relative_to(out)})\n\n{table}"
    )


def _alignments(members: Sequence[Judged]) -> str:
    pictures = [
        f"### {member.name}: {member.alignment_of}"
        + (f"\n\n![{member.name}]({member.alignment})" if member.alignment else "")
        for member in members
    ]
    return "\n\n".join(["## Where each looks in the same sentence", *pictures])
