"""Lines -> what an engine is asked, and its answers -> translated lines. Needs no engine.

A line is split into sentences, each sentence becomes ids; an engine, wherever it is, finds the ids
of their translations, and the sentences' translations are joined again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from heedful.decoding.config import WIDEST, DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Ids, Task
from heedful.errors import InputError, RecipeError, did_you_mean
from heedful.model_folder.card import Card
from heedful.settings import explain
from heedful.terminology import SecondLook, Wishes, complete_ones, second_look, term_alone
from heedful.text.links import Link, Span, links
from heedful.text.parts import OnCut, Part, Read, gap, split_lines
from heedful.text.put_in import complete
from heedful.text.special import UNK
from heedful.text.tokenizer import Tokenizer
from heedful.text.untagged import read_all, untagged
from heedful.text.wanted import Wanted


@dataclass(frozen=True, repr=False)
class Translation:
    """A translated line: what `Translator.translate` returns."""

    text: str
    score: float
    tokens: tuple[str, ...]
    nbest: tuple[Translation, ...] = ()
    """All that was asked for, this one first; empty unless more than one was."""
    links: tuple[Link, ...] = ()
    """Which source word each word looked at; only if `align` was asked for."""

    def __repr__(self) -> str:
        """The text and its score; how many others and links there are."""
        nbest = f", nbest of {len(self.nbest)}" if self.nbest else ""
        links = f", {len(self.links)} links" if self.links else ""
        return f"Translation({self.text!r}, score={self.score:.4g}{nbest}{links})"


@dataclass(frozen=True)
class Plan:
    """Lines on their way: what an engine is asked, and what puts its answers together again."""

    lines: int
    parts: list[Part]
    task: Task
    wanted: list[list[Wanted]]
    """What must stand in the translation of each part."""
    nbest: int
    """Translations of each line that are asked for."""


@dataclass(frozen=True)
class Rendered:
    """A sentence's translation as text; `links` if it is known where its words looked."""

    text: str
    links: list[Link]
    hypothesis: Hypothesis


class Planner:
    """A model's card and tokenizers: all that is known of it without its weights."""

    def __init__(
        self, card: Card, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer
    ) -> None:
        self.card = card
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer

    def plan(
        self,
        lines: Sequence[str],
        /,
        *,
        nbest: int = 1,
        prefix: str | Iterable[str] | None = None,
        glossary: Mapping[str, str] | None = None,
        keep: Sequence[str] = (),
        copy: bool = False,
        wishes: Wishes | None = None,
        kept: Sequence[Sequence[Span]] = (),
        align: bool = False,
        on_cut: OnCut = lambda line, reason: None,
        **settings: Any,
    ) -> Plan:
        """From lines to what an engine is asked. A prefix is that of all lines, or one for each;
        `wishes` are `glossary`, `keep` and `copy`, if somebody has read them before; `kept` tells
        of each line where it has what stays as it is. `on_cut(line, reason)` is told of those that
        the model cannot hold. The rest are settings of `[decoding]`."""
        wishes = wishes or Wishes.of(glossary, keep, copy)
        config = self.settings(nbest=nbest, **settings)
        prefixes = _one_for_each(prefix, len(lines))
        # Tags are left out where they will be put in again, if something tells where they belong.
        read = untagged if wishes.copy and self.card.model.attends else read_all
        parts = self._parts(lines, config, read, on_cut)
        wanted = [wishes.in_part(part, kept[part.line] if kept else ()) for part in parts]
        most = _most_found(config, nbest, wanted)
        task = self._task(parts, config, most, self._prefix_ids(parts, prefixes), align)
        return Plan(len(lines), parts, task, wanted, nbest)

    def alone(self, plan: Plan, **settings: Any) -> Plan:
        """The same, as if one translation of each line were asked for."""
        config = self.settings(**settings)
        task = replace(plan.task, config=config, nbest=_most_found(config, 1, plan.wanted))
        return replace(plan, task=task, nbest=1)

    def second_look(self, plan: Plan, found: list[list[Hypothesis]]) -> SecondLook | None:
        """What has to be asked besides, because something that must be there is not."""
        tokenizer, model = self.target_tokenizer, self.card.model
        return second_look(plan.task, plan.wanted, found, tokenizer, model, plan.nbest)

    def finish(self, plan: Plan, found: list[list[Hypothesis]]) -> list[Translation]:
        """From an engine's answers to translated lines."""
        by_line: list[list[tuple[Part, list[Rendered]]]] = [[] for _ in range(plan.lines)]
        for part, wanted, hypotheses in zip(plan.parts, plan.wanted, found, strict=True):
            some = complete_ones(wanted, hypotheses, self.target_tokenizer)[: plan.nbest]
            rendered = [self._rendered(part, wanted, h, plan.task.aligned) for h in some]
            by_line[part.line].append((part, rendered))
        return [self._join(pieces, plan.task.config, plan.nbest) for pieces in by_line]

    def settings(self, *, nbest: int = 1, **options: Any) -> DecodingConfig:
        """The model's own decoding settings with these changed; nbest may widen the beam. Patience
        that is left open is chosen for the model."""
        config = self._changed(nbest, options) if options or nbest != 1 else self.card.decoding
        card = self.card
        return config.for_model(vocabulary=card.target_vocabulary, longest=card.max_length)

    def _changed(self, nbest: int, options: dict[str, Any]) -> DecodingConfig:
        """The model's own decoding settings with these changed, checked."""
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
                raise RecipeError(
                    f"{nbest} translations of one text want a beam as wide, but beam = "
                    f"{config.beam}: leave it out, or ask for fewer"
                )
            config = config.model_copy(update={"beam": nbest})
        return config

    def _parts(
        self, lines: Sequence[str], config: DecodingConfig, read: Read, on_cut: OnCut
    ) -> list[Part]:
        """The sentences of the lines, each short enough for the model."""
        is_prose = self.card.text.source_tokens == "subwords"
        return split_lines(
            lines,
            self.source_tokenizer,
            longest=self.card.max_length,
            at_sentences=is_prose and config.split_sentences,
            to_fit=is_prose,
            read=read,
            on_cut=on_cut,
        )

    def _prefix_ids(self, parts: list[Part], prefixes: Sequence[str]) -> list[Ids]:
        """A line's prefix is that of its first sentence."""
        if not any(prefixes):
            return [()] * len(parts)
        seen: set[int] = set()
        ids: list[Ids] = []
        for part in parts:
            first = part.line not in seen
            seen.add(part.line)
            ids.append(self._encoded_prefix(prefixes[part.line]) if first else ())
        return ids

    def _encoded_prefix(self, prefix: str) -> Ids:
        ids = self.target_tokenizer.encode(prefix) if prefix else []
        if UNK in ids:
            raise InputError(f"the prefix {prefix!r} has words that the model does not know")
        if len(ids) > self.card.max_length:
            raise InputError(
                f"the prefix has {len(ids)} tokens, and the model writes "
                f"{self.card.max_length} at most: give a shorter one"
            )
        return ids

    def _task(
        self,
        parts: list[Part],
        config: DecodingConfig,
        nbest: int,
        prefixes: list[Ids],
        is_aligned: bool,
    ) -> Task:
        limits = [
            self.limit(len(part.ids), len(prefix), config)
            for part, prefix in zip(parts, prefixes, strict=True)
        ]
        sources = [part.ids for part in parts]
        return Task(config, nbest, sources, limits, prefixes, aligned=is_aligned)

    def limit(self, length: int, prefix: int, config: DecodingConfig) -> int:
        """Most tokens of a translation: half as many again as the training data ever needed."""
        if config.max_length is not None:
            limit = config.max_length
        else:
            needed = math.ceil(1.5 * max(1.0, self.card.length_ratio) * length) + 10
            limit = max(min(needed, self.card.max_length), config.min_length) + 1
        if self.card.model.is_bounded:  # there are no more places
            return min(limit + prefix, self.card.max_length + 1)
        return limit + prefix

    def _rendered(
        self, part: Part, wanted: list[Wanted], hypothesis: Hypothesis, is_aligned: bool
    ) -> Rendered:
        """A sentence's translation, with all that must stand in it."""
        if (alone := term_alone(part.text, wanted)) is not None:
            text, found = alone
            return Rendered(text, found if is_aligned else [], hypothesis)
        text = self.target_tokenizer.decode(hypothesis.tokens)
        text, found = complete(wanted, text, self._links(part, wanted, text, hypothesis))
        return Rendered(text, found if is_aligned else [], hypothesis)

    def _links(
        self, part: Part, wanted: list[Wanted], text: str, hypothesis: Hypothesis
    ) -> list[Link]:
        """None if it was not asked where its words looked."""
        if hypothesis.weights is None:
            return []
        read = part.read
        terms = [read.here(want.source) for want in wanted if not want.is_tag]
        source = (read.text, self.source_tokenizer, part.ids)
        target = (text, self.target_tokenizer, hypothesis.tokens)
        found = links(source, target, hypothesis.weights, terms)
        return [replace(link, source=read.as_it_was(link.source)) for link in found]

    def _join(
        self, pieces: list[tuple[Part, list[Rendered]]], config: DecodingConfig, nbest: int
    ) -> Translation:
        """The n-th best of a line is made of the n-th best of its sentences."""
        if not pieces:
            nothing = Translation("", 0.0, ())
            return nothing if nbest == 1 else replace(nothing, nbest=(nothing,) * nbest)
        if nbest == 1:
            return self._joined([(part, some[0]) for part, some in pieces], config)
        options = [
            self._joined([(p, some[min(rank, len(some) - 1)]) for p, some in pieces], config)
            for rank in range(min(nbest, max(len(some) for _, some in pieces)))
        ]
        options.sort(key=lambda option: -option.score)
        return replace(options[0], nbest=tuple(options))

    def _joined(self, pieces: list[tuple[Part, Rendered]], config: DecodingConfig) -> Translation:
        text, found = "", []
        for part, rendered in pieces:
            text += gap(text, part.before, rendered.text)
            found += [link.moved(part.start, len(text)) for link in rendered.links]
            text += rendered.text
        hypotheses = [rendered.hypothesis for _, rendered in pieces]
        tokens = [token for h in hypotheses for token in self.target_tokenizer.pieces(h.tokens)]
        return Translation(text, _score(hypotheses, config), tuple(tokens), links=tuple(found))


def _score(hypotheses: list[Hypothesis], config: DecodingConfig) -> float:
    """Of sentences that follow each other: as if they were one."""
    if len(hypotheses) == 1:
        return hypotheses[0].score
    length = sum(len(h.tokens) + 1 for h in hypotheses)
    return sum(h.log_prob for h in hypotheses) / config.divisor(length)


def _one_for_each(prefix: str | Iterable[str] | None, lines: int) -> list[str]:
    """The prefix of each line; none at all if there is none."""
    if prefix is None or isinstance(prefix, str):
        return [prefix] * lines if prefix else []
    prefixes = list(prefix) if isinstance(prefix, Iterable) else [prefix]
    for one in prefixes:
        if not isinstance(one, str | None):
            raise InputError(f"got {one!r} as a prefix; a text, or one for each line, is wanted")
    if len(prefixes) != lines:
        raise RecipeError(f"{len(prefixes)} prefixes for {lines} lines; one each is wanted")
    return prefixes


def _most_found(config: DecodingConfig, nbest: int, wanted: list[list[Wanted]]) -> int:
    """Hypotheses of a sentence that are asked for. If the best lacks what is wanted, another that
    the search has found may have it."""
    return nbest if config.sample or not any(wanted) else max(nbest, config.beam)
