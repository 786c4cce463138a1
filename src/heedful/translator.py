"""Text -> Translation. Here text and engines meet.

A line is split into sentences, each sentence becomes ids, an engine finds the ids of its
translation, and the sentences' translations are joined again. Needs no torch by itself.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from pydantic import ValidationError

from heedful.decoding.config import WIDEST, DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.choose import choose_engine
from heedful.engines.engine import Engine, Task
from heedful.engines.names import EngineName
from heedful.errors import InputError, RecipeError, did_you_mean
from heedful.exports.names import Quantization
from heedful.model_folder.card import Card, load_checked_tokenizers, read_card
from heedful.settings import explain
from heedful.terminology import SecondLook, Wishes, second_look
from heedful.text.links import Link, links
from heedful.text.parts import OnCut, Part, gap, split_lines
from heedful.text.special import EOS, UNK
from heedful.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from heedful.engines.torch_engine import TorchEngine
    from heedful.models.seq2seq import AnySeq2Seq
    from heedful.see.recording.attend import Heads
    from heedful.see.recording.record import Node, Record


@dataclass(frozen=True)
class Translation:
    """A translated line."""

    text: str
    score: float
    tokens: tuple[str, ...]
    nbest: tuple[Translation, ...] = ()
    """All that was asked for, this one first; empty unless more than one was."""
    links: tuple[Link, ...] = ()
    """Which source word each word looked at; only if `align` was asked for."""


@dataclass(frozen=True)
class Plan:
    """Lines on their way: what an engine is asked, and what puts its answers together again."""

    lines: int
    parts: list[Part]
    task: Task
    wanted: list[list[str]]
    """What must stand in the translation of each part."""


class Translator:
    """A model with its tokenizers: what `heedful.load` returns."""

    def __init__(
        self,
        card: Card,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        *,
        engine: Engine,
        open_torch: Callable[[], TorchEngine],
        on_cut: OnCut = lambda line, reason: None,
    ) -> None:
        self.card = card
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.engine = engine
        self._open_torch = open_torch
        self._on_cut = on_cut

    @cached_property
    def model(self) -> AnySeq2Seq:
        """The model itself, in torch; loaded when somebody asks for it."""
        return self._open_torch().model

    @overload
    def translate(self, texts: str, **options: Any) -> Translation: ...
    @overload
    def translate(self, texts: Iterable[str], **options: Any) -> list[Translation]: ...

    def translate(self, texts: str | Iterable[str], **options: Any) -> Any:
        """One text -> its Translation; several -> a list of them, in order.

        Options: nbest; prefix (text that the translation begins with, or one for each); glossary
        (terms, and what they are called), keep (terms that stay as they are), copy (numbers,
        addresses, tags and placeholders stay too); align (tell which words belong together); and
        every setting of `[decoding]`: beam, normalise, alpha, stop, sample, temperature, …
        A line that the model cannot hold is warned of; `on_cut(line, reason)` is told instead.
        """
        if isinstance(texts, str):
            return self.translate([texts], **options)[0]
        plan = self.plan(texts, **options)
        self._check(plan.task)
        found = self.engine.search(plan.task) if plan.parts else []
        if again := self.lacking(plan, found):
            self._check(again.task)
            found = again.put_in(found, self.engine.search(again.task))
        return self.finish(plan, found)

    def plan(self, texts: Iterable[str], **options: Any) -> Plan:
        """The first half of `translate`: from lines to what an engine is asked."""
        lines = list(texts) if isinstance(texts, Iterable) else [texts]
        for line in lines:
            if not isinstance(line, str):
                raise InputError(f"got {line!r} to translate; a text, or several, is wanted")
        nbest, prefix = options.pop("nbest", 1), options.pop("prefix", None)
        on_cut = options.pop("on_cut", self._on_cut)
        wishes = Wishes.of(
            options.pop("glossary", None), options.pop("keep", ()), options.pop("copy", False)
        )
        is_aligned = bool(options.pop("align", False))
        config = self.settings(nbest=nbest, **options)
        prefixes = (
            [prefix or ""] * len(lines) if prefix is None or isinstance(prefix, str) else prefix
        )
        if len(prefixes) != len(lines):
            raise RecipeError(
                f"{len(prefixes)} prefixes for {len(lines)} lines; one each is wanted"
            )
        parts = self._parts(lines, config, on_cut)
        task = self._task(parts, config, nbest, self._prefix_ids(parts, prefixes))
        wanted = [wishes.in_part(part) for part in parts]
        return Plan(len(lines), parts, replace(task, aligned=is_aligned), wanted)

    def lacking(self, plan: Plan, found: list[list[Hypothesis]]) -> SecondLook | None:
        """What has to be asked again, because something that must be there is not."""
        longest = self.card.max_length + 1 if self.card.model.is_bounded else None
        return second_look(plan.task, plan.wanted, found, self.target_tokenizer, longest)

    def finish(self, plan: Plan, found: list[list[Hypothesis]]) -> list[Translation]:
        """The second half: from an engine's answers to translated lines."""
        by_line: list[list[tuple[Part, list[Hypothesis]]]] = [[] for _ in range(plan.lines)]
        for part, hypotheses in zip(plan.parts, found, strict=True):
            by_line[part.line].append((part, hypotheses))
        return [self._join(pieces, plan.task.config, plan.task.nbest) for pieces in by_line]

    def attend(
        self,
        source: str,
        target: str | Sequence[int] | None = None,
        *,
        prefix: Sequence[int] = (),
        vectors: Heads = (),
        **options: Any,
    ) -> Record:
        """Where every head looks while `target`, a text, or the model's own translation is written.
        A target may also be the `target_ids` of a record.

        The translation begins with the ids `prefix`, and is searched for as the settings of
        `[decoding]` in `options` say. `vectors` names heads, as ("cross", 2, 1), whose queries,
        keys and values are kept too, or "all" of them.
        """
        from heedful.see.recording.attend import attend

        if not isinstance(source, str):
            raise InputError(f"got {source!r} to attend to; one text is wanted")
        source_ids = self.source_tokenizer.encode(source) if source.strip() else []
        self._check_length("source", source_ids)
        written: Sequence[int]
        nodes: tuple[Node, ...] = ()
        if target is None:
            self._check_words(prefix)
            written, nodes = self._watched(source_ids, prefix, self.settings(**options))
        else:
            if prefix or options:
                raise InputError("with a target nothing is searched for: leave the options out")
            written = self._written(target)
        return attend(
            self.model,
            (self.source_tokenizer, self.target_tokenizer),
            source,
            (source_ids, written),
            vectors=vectors,
            search=nodes,
            summary=f"{self.card.model.kind}: {self.card.model.summary}",
            languages=(self.card.text.source_lang or "", self.card.text.target_lang or ""),
        )

    def _written(self, target: str | Sequence[int]) -> Sequence[int]:
        """All the ids of a target; of a text with its end mark."""
        if isinstance(target, str):
            ids = self.target_tokenizer.encode(target)
            self._check_length("target", ids)
            return (*ids, EOS)
        longest = self.card.max_length
        most = self._limit(longest, longest, self.card.decoding)  # that a search may write
        if not 0 < len(target) <= most:
            raise InputError(f"the target has {len(target)} tokens; 1 to {most} are wanted")
        self._check_words(target)
        return tuple(target)

    def _check_words(self, ids: Sequence[int]) -> None:
        n = len(self.target_tokenizer.vocabulary)
        for wrong in (i for i in ids if not 0 <= i < n):
            raise InputError(f"got the id {wrong}; the target's vocabulary has 0 to {n - 1}")

    def _check_length(self, side: str, ids: Sequence[int]) -> None:
        longest = self.card.max_length
        if not 0 < len(ids) <= longest:
            raise InputError(
                f"the {side} has {len(ids)} tokens; 1 to {longest} are wanted, as in what the "
                f"model has learnt from: give another sentence"
            )

    def _watched(
        self, source: Sequence[int], prefix: Sequence[int], config: DecodingConfig
    ) -> tuple[Sequence[int], tuple[Node, ...]]:
        """What is written for one sentence, with the end mark if it comes to that; and the tree of
        the search."""
        from heedful.see.recording.tree import Tree

        config = config.model_copy(update={"sample": False})  # draws are no tree
        limit = self._limit(len(source), len(prefix), config)
        task = Task(config, 1, [source], [limit], [list(prefix)])
        tree = Tree(self.target_tokenizer.vocabulary)
        best = self._open_torch().search_watched(task, tree)[0]
        written = (*best.tokens, EOS) if len(best.tokens) < limit else best.tokens
        return written, tree.nodes(written, best.log_prob)

    def settings(self, *, nbest: int = 1, **options: Any) -> DecodingConfig:
        """The model's own decoding settings with these changed; nbest may widen the beam."""
        known = DecodingConfig.model_fields
        for name in options:
            if name not in known:
                raise RecipeError(f"unknown option {name!r}{did_you_mean(name, known)}")
        if not isinstance(nbest, int) or not 1 <= nbest <= WIDEST:
            raise RecipeError(f"nbest = {nbest!r}: a whole number from 1 to {WIDEST:,} is wanted")
        try:
            config = DecodingConfig(**self.card.decoding.model_dump() | options)
        except ValidationError as error:
            raise RecipeError(explain(error)) from None
        if not config.sample and nbest > config.beam:
            if "beam" in options:
                raise RecipeError(f"nbest = {nbest} wants a beam as wide, but beam = {config.beam}")
            config = config.model_copy(update={"beam": nbest})
        self._check(Task(config, nbest, sources=(), limits=(), prefixes=()))
        return config

    def _check(self, task: Task) -> None:
        """Asks the engine whether it can do this."""
        if why_not := self.engine.refusal(task):
            raise RecipeError(f"engine {self.engine.name} cannot do this: {why_not}")

    def _parts(self, lines: list[str], config: DecodingConfig, on_cut: OnCut) -> list[Part]:
        """The sentences of the lines, each short enough for the model."""
        is_prose = self.card.text.source_tokens == "subwords"
        return split_lines(
            lines,
            self.source_tokenizer,
            longest=self.card.max_length,
            at_sentences=is_prose and config.split_sentences,
            to_fit=is_prose,
            on_cut=on_cut,
        )

    def _prefix_ids(self, parts: list[Part], prefixes: Sequence[str]) -> list[list[int]]:
        """A line's prefix is that of its first sentence."""
        seen: set[int] = set()
        ids: list[list[int]] = []
        for part in parts:
            first = part.line not in seen
            seen.add(part.line)
            prefix = prefixes[part.line] if first else ""
            ids.append(self.target_tokenizer.encode(prefix) if prefix else [])
            if UNK in ids[-1]:
                raise InputError(f"the prefix {prefix!r} has words that the model does not know")
        return ids

    def _task(
        self, parts: list[Part], config: DecodingConfig, nbest: int, prefixes: list[list[int]]
    ) -> Task:
        limits = [
            self._limit(len(part.ids), len(prefix), config)
            for part, prefix in zip(parts, prefixes, strict=True)
        ]
        task = Task(config, nbest, [part.ids for part in parts], limits, prefixes)
        self._check(task)
        return task

    def _limit(self, length: int, prefix: int, config: DecodingConfig) -> int:
        """Most tokens of a translation: half as many again as the training data ever needed."""
        if config.max_length is not None:
            limit = config.max_length
        else:
            needed = math.ceil(1.5 * max(1.0, self.card.length_ratio) * length) + 10
            limit = max(min(needed, self.card.max_length), config.min_length) + 1
        if self.card.model.is_bounded:  # there are no more places
            return min(limit + prefix, self.card.max_length + 1)
        return limit + prefix

    def _join(
        self, pieces: list[tuple[Part, list[Hypothesis]]], config: DecodingConfig, nbest: int
    ) -> Translation:
        """The n-th best of a line is made of the n-th best of its sentences."""
        if not pieces:
            nothing = Translation("", 0.0, ())
            return nothing if nbest == 1 else replace(nothing, nbest=(nothing,) * nbest)
        options = [
            self._joined([(p, h[min(rank, len(h) - 1)]) for p, h in pieces], config)
            for rank in range(min(nbest, max(len(h) for _, h in pieces)))
        ]
        options.sort(key=lambda option: -option.score)
        best = options[0]
        return best if nbest == 1 else replace(best, nbest=tuple(options))

    def _joined(self, pieces: list[tuple[Part, Hypothesis]], config: DecodingConfig) -> Translation:
        text, found = "", []
        for part, hypothesis in pieces:
            translated = self.target_tokenizer.decode(hypothesis.tokens)
            text += gap(text, part.before, translated)
            if hypothesis.weights is not None:
                found += self._links(part, translated, hypothesis, len(text))
            text += translated
        tokens = [token for _, h in pieces for token in self.target_tokenizer.pieces(h.tokens)]
        length = sum(len(h.tokens) + 1 for _, h in pieces)
        score = sum(h.log_prob for _, h in pieces) / config.divisor(length)
        score = pieces[0][1].score if len(pieces) == 1 else score
        return Translation(text, score, tuple(tokens), links=tuple(found))

    def _links(self, part: Part, text: str, of: Hypothesis, place: int) -> list[Link]:
        """Those of a sentence whose translation stands at this place of the line's."""
        assert of.weights is not None
        source = (part.text, self.source_tokenizer, part.ids)
        target = (text, self.target_tokenizer, of.tokens)
        return [link.moved(part.start, place) for link in links(source, target, of.weights)]


def load(
    folder: str | Path,
    *,
    engine: EngineName = "auto",
    device: str = "auto",
    threads: int | None = None,
    quantize: Quantization | None = None,
) -> Translator:
    """The model of a run, or of any model folder, ready to translate: `heedful.load`.

    Transformers are translated with by CTranslate2, and by torch for what it cannot do; engine
    "torch" or "ctranslate2" insists. quantize="int8" is faster still and a little less exact.
    """
    path = Path(folder)
    card = read_card(path)
    tokenizers = load_checked_tokenizers(path, card)

    @cache
    def open_torch() -> TorchEngine:
        from heedful.engines.torch_engine import TorchEngine
        from heedful.machine import pick_device, use_threads
        from heedful.model_folder.weights import load_model

        use_threads(threads)
        return TorchEngine(load_model(path, card, pick_device(device)))

    chosen = choose_engine(
        path,
        card,
        tokenizers,
        open_torch,
        engine=engine,
        device=device,
        threads=threads,
        quantize=quantize,
    )
    return Translator(card, *tokenizers, engine=chosen, open_torch=open_torch, on_cut=_warn)


def _warn(line: int, reason: str) -> None:
    """For those who do not say whom to tell what was cut."""
    warnings.warn(f"line {line + 1}: {reason}", stacklevel=2)
