"""Text -> Translation. Here plans and engines meet: what `planning` makes of lines, an engine
searches for. Needs no torch by itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.choose import choose_engine
from heedful.engines.engine import Engine, Task
from heedful.engines.names import EngineName
from heedful.errors import InputError, RecipeError
from heedful.exports.names import Quantization
from heedful.model_folder.card import (
    Card,
    alignment_layer,
    load_checked_tokenizers,
    read_card,
)
from heedful.model_folder.summary import languages, validation, vocabulary
from heedful.planning import Planner, Translation
from heedful.text.parts import OnCut
from heedful.text.special import EOS
from heedful.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from heedful.engines.torch_engine import TorchEngine
    from heedful.models.seq2seq import AnySeq2Seq
    from heedful.see.recording.attend import Heads
    from heedful.see.recording.record import Node, Record


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
        self.planner = Planner(card, source_tokenizer, target_tokenizer)
        self.card = card
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.engine = engine
        self._open_torch = open_torch
        self._on_cut = on_cut

    def __repr__(self) -> str:
        """Kind and sizes, languages, vocabulary, engine, and how it validated."""
        card = self.card
        lines = [
            f"{card.model.kind}: {card.model.summary}",
            languages(card),
            f"vocabulary {vocabulary(card)}",
            f"engine {self.engine.name}",
            validation(card),
        ]
        return "Translator(" + "\n  ".join(line for line in lines if line) + ")"

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

        >>> [t.text for t in model.translate(["A dog runs.", "A cat sleeps."], beam=4)]
        """
        lines = [texts] if isinstance(texts, str) or not isinstance(texts, Iterable) else [*texts]
        for line in lines:
            if not isinstance(line, str):
                raise InputError(f"got {line!r} to translate; a text, or several, is wanted")
        plan = self.planner.plan(lines, **{"on_cut": self._on_cut} | options)
        found = self._search(plan.task)
        if look := self.planner.second_look(plan, found):
            found = look.put_in(found, self._search(look.task))
        done = self.planner.finish(plan, found)
        return done[0] if isinstance(texts, str) else done

    def settings(self, *, nbest: int = 1, **options: Any) -> DecodingConfig:
        """The model's own decoding settings with these changed, if the engine can do this."""
        config = self.planner.settings(nbest=nbest, **options)
        self._check(Task(config, nbest, sources=(), limits=(), prefixes=()))
        return config

    def _search(self, task: Task) -> list[list[Hypothesis]]:
        self._check(task)
        return self.engine.search(task) if task.sources else []

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
        record = attend(
            self.model,
            (self.source_tokenizer, self.target_tokenizer),
            source,
            (source_ids, written),
            vectors=vectors,
            search=nodes,
            summary=f"{self.card.model.kind}: {self.card.model.summary}",
            languages=(self.card.text.source_lang or "", self.card.text.target_lang or ""),
        )
        layers = sum(attention.kind == "cross" for attention in record.attentions)
        best = 1 + alignment_layer(layers, self.card.alignment_layer) if layers else None
        return replace(record, alignment_layer=best)

    def _written(self, target: str | Sequence[int]) -> Sequence[int]:
        """All the ids of a target; of a text with its end mark."""
        if isinstance(target, str):
            ids = self.target_tokenizer.encode(target)
            self._check_length("target", ids)
            return (*ids, EOS)
        longest = self.card.max_length
        most = self.planner.limit(longest, longest, self.card.decoding)  # that a search may write
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
        limit = self.planner.limit(len(source), len(prefix), config)
        task = Task(config, 1, [source], [limit], [list(prefix)])
        tree = Tree(self.target_tokenizer.vocabulary)
        best = self._open_torch().search_watched(task, tree)[0]
        written = (*best.tokens, EOS) if len(best.tokens) < limit else best.tokens
        return written, tree.nodes(written, best.log_prob)

    def _check(self, task: Task) -> None:
        """Asks the engine whether it can do this."""
        if why_not := self.engine.refusal(task):
            raise RecipeError(f"engine {self.engine.name} cannot do this: {why_not}")


def load(
    folder: str | Path,
    *,
    engine: EngineName = "auto",
    device: str = "auto",
    threads: int | None = None,
    quantize: Quantization | None = None,
) -> Translator:
    """Open the model of a run, or of any model folder, to translate with it: `heedful.load`.

    Engine "auto" translates with CTranslate2 where it can, and with torch where it cannot; "torch"
    and "ctranslate2" insist. quantize="int8" is faster and a little less exact.

    >>> heedful.load("runs/en-de").translate("A dog runs.", beam=4).text
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
        model = load_model(path, card, pick_device(device))
        return TorchEngine(model, tokenizers[1].continuations(), card.alignment_layer)

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
