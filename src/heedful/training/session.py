"""One process's part of a run: build or restore, train, average, judge, keep the best."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from heedful.batches.prepared import Prepared
from heedful.batches.splitting import Splitter
from heedful.engines.torch_engine import TorchEngine
from heedful.errors import InputError, Interrupted
from heedful.model_folder.card import CONFIG, Card, read_card, save_card
from heedful.model_folder.weights import load_model, save_model
from heedful.models.build import build
from heedful.models.weights import load_weights, weights
from heedful.recipe import ResolvedRecipe
from heedful.see.pictures.curve import draw_curve
from heedful.see.pictures.save import save as save_picture
from heedful.text.sides import save_sides
from heedful.training import checkpoint
from heedful.training.aligning import measured_layer
from heedful.training.average import averaged
from heedful.training.begun import begin
from heedful.training.checkpoint import Progress
from heedful.training.feed import Feed
from heedful.training.loop import Run, save, train
from heedful.training.optimiser import make_optimiser
from heedful.training.pace import Clock, make_pace
from heedful.training.reporter import Reporter, read_metrics
from heedful.training.run_folder import RunFolder
from heedful.training.team import Team
from heedful.training.validate import Scores, Validation, score_lines, validate
from heedful.training.vectors import stored_vectors
from heedful.translator import Translator

PAIRS_A_LINE = 4  # the loss of a budget's validation is taken over so many pairs for each line


@dataclass(frozen=True)
class Outcome:
    """What a finished training tells."""

    folder: Path
    steps: int
    seconds: float
    bleu: float
    chrf: float
    loss: float

    def __repr__(self) -> str:
        return (
            f"{self.folder}: {self.steps:,} steps in {self.seconds:.0f} s; validation BLEU "
            f"{self.bleu:.1f}, chrF {self.chrf:.1f}, loss {self.loss:.3f}"
        )


class Session:
    """One process's part of a run."""

    def __init__(
        self,
        folder: RunFolder,
        recipe: ResolvedRecipe,
        data: Prepared,
        reporter: Reporter,
        clock: Clock,
        device: torch.device,
    ) -> None:
        self.folder, self.recipe, self.data = folder, recipe, data
        self.reporter, self.clock, self.device = reporter, clock, device
        self.lines = list(data.valid_text[: recipe.training.validation_lines])
        torch.manual_seed(recipe.training.seed)
        facts = data.facts
        self.model = build(
            recipe.model,
            source_vocabulary=facts.source_vocabulary,
            target_vocabulary=facts.target_vocabulary,
            max_length=facts.max_length,
        ).to(device)
        if recipe.training.start and not checkpoint.saved(folder.checkpoints):
            begin(self.model, Path(recipe.training.start))
        stored_vectors(folder.path, recipe.model).begin(
            self.model, frozen=recipe.training.freeze_embeddings
        )
        optimiser = make_optimiser(self.model, recipe.training)
        progress = self._restored(optimiser)
        if progress.began is None:
            progress.began = clock.seconds()
        self.card = self._make_card()
        self.translator = self._translator()
        self.run = Run(
            model=self.model,
            optimiser=optimiser,
            team=Team(
                self.model,
                threads=recipe.training.threads,
                batch_tokens=recipe.training.batch_tokens,
                smoothing=recipe.training.label_smoothing,
                bf16=recipe.training.bf16,
            ),
            feed=Feed(
                data.train,
                batch_tokens=recipe.training.batch_tokens,
                seed=recipe.training.seed,
                splitters=self._splitters(),
            ),
            progress=progress,
            config=recipe.training,
            pace=make_pace(
                recipe.training,
                clock,
                begins=progress.began,
                validations_at_end=self._validations_at_end(),
            ),
            clock=clock,
            checkpoints=folder.checkpoints,
            reporter=reporter,
            validate=self.validate,
        )

    def train(self) -> Outcome:
        """To the end, however often it was begun."""
        self._introduce()
        self.reporter.begin(self.run.progress)
        try:
            train(self.run)
        except Interrupted as interruption:
            self._draw_curve()
            name = signal.Signals(interruption.signal_number).name
            self.reporter.say(
                f"stopped by {name} at step {self.run.progress.step:,}; all is saved."
                f"{self.folder.how_to_go_on}"
            )
            raise
        return self._finish()

    def validate(self) -> None:
        """Score the model, and keep it if it is the best so far."""
        started, progress = self.clock.seconds(), self.run.progress
        result = self._score()
        goodness, best = result.goodness(self.recipe.training.best_by), progress.best
        # Of equals the later is kept: it was trained at a lower rate. But it is no sign of life.
        keep = best is None or goodness >= best
        progress.since_best = 0 if best is None or goodness > best else progress.since_best + 1
        progress.validated = progress.step
        if keep:
            progress.best = goodness
            self._keep(result)
        self.reporter.validation(progress, result, is_best=keep)
        self.run.pace.add_validation(self.clock.seconds() - started)

    def _score(self) -> Validation:
        most = PAIRS_A_LINE * len(self.lines) if self.recipe.training.budget is not None else None
        return validate(self.translator, self.data.valid, self.lines, most_pairs=most)

    def _validations_at_end(self) -> float:
        """How many validations' time the end of a run takes: one of the last step, one with the
        beam, perhaps one of an average, and some saving and drawing."""
        beam, average = self.recipe.decoding.beam, self.recipe.training.average
        with_beam = 0 if beam == 1 else 1 + 0.6 * (beam - 1)
        return 1.2 * (1.5 + with_beam + (average > 1))

    def _splitters(self) -> tuple[Splitter, Splitter] | None:
        share, longest = self.recipe.training.split_pieces, self.data.facts.max_length
        if not share:
            return None
        source, target = (
            Splitter(tokenizer, share if tokenizer.kind == "subwords" else 0, longest)
            for tokenizer in (self.data.source_tokenizer, self.data.target_tokenizer)
        )
        return source, target

    def _restored(self, optimiser: torch.optim.Optimizer) -> Progress:
        kept = checkpoint.saved(self.folder.checkpoints)
        if not kept:
            return Progress()
        progress = checkpoint.restore(kept[-1], self.model, optimiser)
        if progress.finished:  # and is asked to go on: its patience begins anew
            progress.finished, progress.since_best = False, 0
        self.reporter.say(f"going on from step {progress.step:,}")
        return progress

    def _introduce(self) -> None:
        config, model = self.recipe.training, self.recipe.model
        n_weights = sum(p.numel() for p in self.model.parameters())
        until = (
            f"{config.budget:.0f} s in all"
            if config.budget
            else f"{config.steps:,} steps"
            if config.steps
            else "until validation stops improving"
        )
        self.reporter.say(
            f"training {model.kind}: {model.summary}, {n_weights:,} weights; {until}, "
            f"on {self.device.type}, {config.threads} threads"
        )

    def _translator(self) -> Translator:
        """Over the model at hand, as it is at each moment."""
        engine = TorchEngine(self.model)
        data = self.data
        return Translator(
            self.card,
            data.source_tokenizer,
            data.target_tokenizer,
            engine=engine,
            open_torch=lambda: engine,
        )

    def _make_card(self) -> Card:
        """With the story of the model that is kept so far, if there is one."""
        facts = self.data.facts
        kept = (self.folder.path / CONFIG).exists()
        earlier = read_card(self.folder.path) if kept else None
        source, target = self.data.source_tokenizer, self.data.target_tokenizer
        return Card(
            text=self.recipe.text,
            model=self.recipe.model,
            decoding=self.recipe.decoding,
            source_vocabulary=facts.source_vocabulary,
            target_vocabulary=facts.target_vocabulary,
            max_length=facts.max_length,
            length_ratio=facts.length_ratio,
            tokenizers={"source": source.digest, "target": target.digest},
            weights_digest=earlier.weights_digest if earlier else None,
            training=earlier.training if earlier else {},
            scores=earlier.scores if earlier else {},
        )

    def _keep(self, result: Validation) -> None:
        """The model of this moment becomes the run's model."""
        story = self._story(kept_at=self.run.progress.step, finished=False)
        scores = _scores(result, result.loss, len(self.lines))
        card = self.card.model_copy(update={"training": story, "scores": scores})
        save_sides(self.folder.path, self.data.source_tokenizer, self.data.target_tokenizer)
        self.card = save_model(self.folder.path, card, weights(self.model))

    def _story(self, *, kept_at: int, finished: bool) -> dict[str, Any]:
        """On what the model was trained, and how long up to now."""
        progress, facts = self.run.progress, self.data.facts
        return {
            "origin": facts.origin,
            "pairs": facts.pairs,
            "target_tokens": facts.target_tokens,
            "steps": progress.step,
            "kept_at": kept_at,
            "epochs": progress.epoch,
            "tokens_seen": progress.tokens,
            "seconds": round(self.clock.seconds(), 1),
            "device": self.device.type,
            "threads": self.recipe.training.threads,
            "finished": finished,
        }

    def _finish(self) -> Outcome:
        progress = self.run.progress
        if not (self.folder.checkpoints / f"step-{progress.step:08d}").exists():
            save(self.run)  # first of all: from here on a signal ends the process at once
        if progress.validated != progress.step or progress.best is None:
            self.validate()
        self._try_average()
        self.model = load_model(self.folder.path, self.card, self.device)
        greedy = self.card.scores
        scores = self._score_with_beam(Scores(greedy["bleu"], greedy["chrf"]))
        self.card = self.card.model_copy(
            update={
                "training": self._story(kept_at=self.card.training["kept_at"], finished=True),
                "scores": _scores(scores, greedy["loss"], len(self.lines)),
                "alignment_layer": measured_layer(self.model, self.data),
            }
        )
        save_card(self.folder.path, self.card)
        progress.finished = True
        checkpoint.save_progress(checkpoint.saved(self.folder.checkpoints)[-1], progress)
        self._draw_curve()
        self._conclude(scores, Scores(greedy["bleu"], greedy["chrf"]))
        return Outcome(
            folder=self.folder.path,
            steps=progress.step,
            seconds=self.clock.seconds(),
            bleu=scores.bleu,
            chrf=scores.chrf,
            loss=greedy["loss"],
        )

    def _score_with_beam(self, greedy: Scores) -> Scores:
        """Score the kept model as it will be used."""
        beam = self.recipe.decoding.beam
        return greedy if beam == 1 else score_lines(self._translator(), self.lines, beam=beam)[1]

    def _conclude(self, found: Scores, greedy: Scores) -> None:
        """Say how good the kept model is, and what differs from the scores shown on the way."""
        beam, progress = self.recipe.decoding.beam, self.run.progress
        if found.chrf < greedy.chrf - max(1.0, 0.05 * greedy.chrf):
            self.reporter.say(
                f"warning: beam {beam} is clearly worse than greedy search here: translate with "
                f"--beam 1, or train with --set decoding.beam=1"
            )
        with_beam = f" with beam {beam}" if beam > 1 else ""
        shown = f" (greedy, as shown above: {greedy.bleu:.1f} and {greedy.chrf:.1f})"
        self.reporter.say(
            f"done: BLEU {found.bleu:.1f}, chrF {found.chrf:.1f}{with_beam} on {len(self.lines)} "
            f"validation lines{shown if beam > 1 else ''}, by the model of step "
            f"{self.card.training['kept_at']:,} of {progress.step:,}, in "
            f"{self.clock.seconds():.0f} s. Translate with: heedful translate {self.folder.path}"
        )

    def _try_average(self) -> None:
        """The mean of the last checkpoints becomes the model, if it validates better."""
        config = self.recipe.training
        last = checkpoint.regular(self.folder.checkpoints, config.checkpoint_every)[
            -config.average :
        ]
        if len(last) < 2:
            return
        load_weights(self.model, averaged(last), origin=self.folder.checkpoints)
        result = self._score()
        best, goodness = self.run.progress.best, result.goodness(config.best_by)
        better = best is None or goodness >= best
        self.reporter.say(
            f"average of the last {len(last)} checkpoints: loss {result.loss:.3f}, "
            f"BLEU {result.bleu:.1f}, chrF {result.chrf:.1f}: {'taken' if better else 'not better'}"
        )
        if better:
            self.run.progress.best = goodness
            self._keep(result)

    def _draw_curve(self) -> None:
        try:
            metrics = read_metrics(self.folder.metrics)
            save_picture(draw_curve(metrics, title=self.folder.path.name), self.folder.curve)
        except (OSError, InputError) as error:
            self.reporter.say(f"warning: the learning curve could not be drawn: {error}")


def _scores(found: Scores | Validation, loss: float, lines: int) -> dict[str, Any]:
    return {
        "validation_lines": lines,
        "bleu": round(found.bleu, 2),
        "chrf": round(found.chrf, 2),
        "loss": round(loss, 4),
    }
