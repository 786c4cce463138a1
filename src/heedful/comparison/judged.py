"""What is found out about one member of a comparison."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from heedful.batches.prepared import Prepared
from heedful.comparison.flops import training_flop
from heedful.demo.corpus import Example
from heedful.demo.judge import pronoun_right
from heedful.errors import HeedfulError
from heedful.evaluation import evaluate
from heedful.files import write_atomically
from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.save import save
from heedful.training.reporter import read_metrics
from heedful.training.run_folder import RunFolder
from heedful.translator import Translator, load

DRAWN = range(6, 15)  # words of the sentence whose alignment is drawn


@dataclass(frozen=True)
class Exam:
    """What every member is asked."""

    sources: list[str]
    references: list[str]
    examples: tuple[Example, ...]
    """The demo's, of which it is known what "it" means: one for each source, or none."""
    data: Prepared
    """What all were trained on."""


@dataclass(frozen=True)
class Judged:
    """A member's figures and its translations of the test lines."""

    name: str
    summary: str
    weights: int
    weights_digest: str | None
    """Tells whether the model is still the one that was judged."""
    steps: int
    tokens_per_second: float
    """Target tokens, the median of the training."""
    training_flop: float
    seconds: float
    bleu: dict[str, Any]
    chrf: dict[str, Any]
    ter: dict[str, Any] | None
    """None where it would take minutes."""
    sentences_per_second: float
    """Translated, by torch, with the model's own beam."""
    pronouns_right: float | None
    """Percent, where the demo's sentences are compared."""
    alignment: str | None
    """The file of its picture."""
    alignment_of: str
    """What it shows, or why there is none."""
    sources: list[str]
    references: list[str]
    texts: list[str]

    def write(self, path: Path) -> None:
        """Whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n")


def read_judged(path: Path) -> Judged | None:
    """What was found out before, if anything."""
    try:
        return Judged(**json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def judge_member(
    name: str, run: Path, exam: Exam, pictures: Path, *, threads: int | None, device: str
) -> Judged:
    """Translates the lines with the run's model, and gathers what its training told."""
    translator = load(run, engine="torch", threads=threads, device=device)
    translator.translate(exam.sources[:8])  # what is done once is done now
    started = time.monotonic()
    texts = [t.text for t in translator.translate(exam.sources)]
    seconds = time.monotonic() - started
    card = translator.card
    report = evaluate(texts, exam.references, words=card.text.target_tokens == "words")
    speeds = [r["tokens_per_second"] for r in read_metrics(RunFolder(run).metrics) if "rate" in r]
    picture, shown = _draw(translator, name, exam, pictures)
    return Judged(
        name=name,
        summary=card.model.summary,
        weights=sum(p.numel() for p in translator.model.parameters()),
        weights_digest=card.weights_digest,
        steps=card.training["steps"],
        tokens_per_second=statistics.median(speeds) if speeds else 0.0,
        training_flop=training_flop(translator.model, exam.data) * card.training["tokens_seen"],
        seconds=card.training["seconds"],
        bleu=asdict(report.bleu),
        chrf=asdict(report.chrf),
        ter=asdict(report.ter) if report.ter else None,
        sentences_per_second=len(exam.sources) / seconds,
        pronouns_right=_pronouns(texts, exam.examples),
        alignment=picture,
        alignment_of=shown,
        sources=exam.sources,
        references=exam.references,
        texts=texts,
    )


def _pronouns(texts: Sequence[str], examples: Sequence[Example]) -> float | None:
    if not examples:
        return None
    pairs = zip(examples, texts, strict=True)
    right = [pronoun_right(example, text) for example, text in pairs if example.decisive]
    return 100 * sum(right) / len(right)


def _draw(translator: Translator, name: str, exam: Exam, pictures: Path) -> tuple[str | None, str]:
    """While the reference is written; the same for all, the first pair of a middling length."""
    pairs = list(zip(exam.sources, exam.references, strict=True))
    source, target = next((p for p in pairs if len(p[0].split()) in DRAWN), pairs[0])
    try:
        record = translator.attend(source, target).by_words()
    except HeedfulError as error:
        return None, f"no picture: {error}"
    shown = "cross-attention" if record.has_attention else "gradient saliency: it has no attention"
    path = pictures / f"alignment-{name}.png"
    save(draw_alignment(record.alignment, title=f"{name}: {shown}"), path)
    return f"{pictures.name}/{path.name}", shown
