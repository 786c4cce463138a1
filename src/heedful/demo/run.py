"""`heedful demo`: from nothing to a trained model, its figures and its pictures."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from heedful.demo.corpus import FAMOUS, DemoCorpus, Example, Language, generate
from heedful.demo.finder import Finder, best_finder
from heedful.demo.judge import pronoun_right
from heedful.demo.text import text_options, write_text
from heedful.errors import ModelFolderError
from heedful.evaluation import bleu, exact_match
from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.arcs import draw_arcs
from heedful.see.pictures.save import save
from heedful.training.options import TrainOptions
from heedful.training.run import train_run
from heedful.translator import Translator, load

NAMES = {"fr": "French", "ko": "Korean"}
MARK = "demo.json"  # tells a folder of the demo, which it may make anew, from a run of the user's

SETTINGS = (
    "text.algorithm=bpe",  # learnt in a tenth of the time
    "text.vocabulary_size=800",
    "model.n_layers=2",
    "model.pre_norm=false",  # as the paper has it: two layers need no help to get going
    "training.peak_rate=0.004",
    "model.dropout=0.0",  # made data hardly repeats itself: there is nothing to learn by heart
    "training.batch_tokens=1024",
    "training.validation_lines=100",
    "decoding.beam=1",
)
"""A small grammar wants a small model and many small steps."""


def run_demo(language: Language, *, out: Path, seed: int, length: dict[str, Any]) -> None:
    """Generate pairs, train, translate unseen sentences, score, draw. `length` is the budget, or
    the steps, of the training."""
    started = time.monotonic()
    console = Console(highlight=False)
    _clear(out)
    console.print(f"generating English–{NAMES[language]} sentence pairs …")
    corpus = generate(language, seed=seed)
    write_text(corpus, language, out / "text")
    text = text_options(language, out / "text")
    train_run(
        TrainOptions(out=out, preset="tiny", seed=seed, set=SETTINGS, **length, **text),
        console=console,
    )
    translator = load(out)
    found = [t.text for t in translator.translate([e.source for e in corpus.test])]
    _show_examples(console, corpus.test, found)
    figures = judge(corpus.test, found)
    finder = best_finder(translator, corpus.valid[:100])
    figures["it_finds_its_noun"] = finder.share_right(translator, corpus.test[:200])
    (out / MARK).write_text(json.dumps({"language": language, "seed": seed} | figures, indent=1))
    _tell(console, figures, finder)
    pictures = _draw(translator, finder, corpus.test, out)
    shown = ", ".join(map(str, [out / "curve.png", *pictures]))
    console.print(f"\npictures: {shown}", markup=False, soft_wrap=True)
    console.print(f"all in {time.monotonic() - started:.0f} s. Try next:")
    command = f'echo "{_next_sentence(corpus)}" | heedful translate {out}'
    console.print(f"  {command}", markup=False, soft_wrap=True)


def judge(examples: Sequence[Example], found: Sequence[str]) -> dict[str, float]:
    """The demo's figures, in percent (BLEU as it is)."""
    references = [example.target for example in examples]
    pairs = list(zip(examples, found, strict=True))
    unseen = [(e.target, text) for e, text in pairs if e.held_out]
    decisive = [pronoun_right(e, text) for e, text in pairs if e.decisive]
    return {
        "sentences": len(pairs),
        "exact_match": exact_match(found, references),
        "exact_match_unseen_combinations": exact_match(
            [text for _, text in unseen], [target for target, _ in unseen]
        ),
        "bleu": bleu(found, references),
        "pronouns": len(decisive),
        "pronouns_right": 100 * sum(decisive) / len(decisive),
    }


def _clear(out: Path) -> None:
    """The demo starts anew each time, but never over something that is not its own."""
    if (out / MARK).exists():
        shutil.rmtree(out)
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ModelFolderError(f"{out} holds something else: choose another --out for the demo")
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("{}")


def _show_examples(console: Console, examples: Sequence[Example], found: Sequence[str]) -> None:
    console.print("\nsentences that it has never seen:")
    for example, text in list(zip(examples, found, strict=True))[:8]:
        right = text == example.target
        console.print(f"  {example.source}", markup=False, soft_wrap=True)
        console.print(f"    → {text} {'✓' if right else '✗'}", markup=False, soft_wrap=True)
        console.print(f"    = {example.target}", markup=False, soft_wrap=True)


def _tell(console: Console, figures: dict[str, float], finder: Finder) -> None:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    rows = [
        ("exact match", f"{figures['exact_match']:.1f} % of {figures['sentences']:.0f} unseen"),
        ("  unseen combinations", f"{figures['exact_match_unseen_combinations']:.1f} %"),
        ("BLEU", f"{figures['bleu']:.1f}"),
        ("pronouns right", f"{figures['pronouns_right']:.1f} % of {figures['pronouns']:.0f}"),
        (
            "“it” finds its noun",
            f"{figures['it_finds_its_noun']:.1f} % ({finder.describe()}, chosen on validation "
            f"sentences)",
        ),
    ]
    for row in rows:
        table.add_row(*row)
    console.print()
    console.print(table)


def _draw(
    translator: Translator, finder: Finder, examples: Sequence[Example], out: Path
) -> list[Path]:
    """Arcs from "it" in both famous sentences, and an alignment of the first."""
    pictures = []
    famous = [example for example in examples if example.source in FAMOUS]
    for example in famous:
        record = translator.attend(example.source, example.target)
        looks, query = finder.between_words(translator, example, record)
        word = example.source.rstrip(".").split()[-1]
        path = out / f"it-{word}.png"
        arcs = draw_arcs(
            looks,
            query=query,
            head=finder.head,
            title=f"“it … too {word}” ({looks.name}, head {finder.head}, where it is decided)",
        )
        pictures.append(save(arcs, path))
        if example is famous[0]:
            last = max(a.layer for a in record.attentions if a.kind == "cross")
            path = out / "alignment.png"
            words = record.get("cross", last).by_words()
            alignment = draw_alignment(words, title="What each word looks at")
            pictures.append(save(alignment, path))
    return pictures


def _next_sentence(corpus: DemoCorpus) -> str:
    return corpus.test[len(FAMOUS)].source
