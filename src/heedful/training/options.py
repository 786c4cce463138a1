"""What `heedful train` and `heedful.train` take. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from heedful.errors import InputError
from heedful.text.special import TokenKind

if TYPE_CHECKING:  # the help page waits for none of these
    from heedful.recipe import Sections
    from heedful.text.corpus import ParallelCorpus

TextFile = Annotated[str | None, Parameter(allow_leading_hyphen=True)]
Flag = Annotated[bool, Parameter(negative="", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """Each is a flag of the command, with - for _."""

    out: Path
    """The run's folder; it must not hold another run."""
    source: TextFile = None
    """Source lines; may be .gz, .xz or .zst, or - for standard input."""
    target: TextFile = None
    """Target lines: line n translates line n of the source."""
    pairs: TextFile = None
    """Instead of two files, one with source, tab, target on each line."""
    valid_source: TextFile = None
    """Validation source; without it some training lines are set aside."""
    valid_target: TextFile = None
    """Validation target."""
    valid_pairs: TextFile = None
    """Validation lines as one file with tabs."""
    source_lang: str | None = None
    """Source language, kept in the model: ko, kor, Korean. [default: by names such as train.ko]"""
    target_lang: str | None = None
    """Target language."""
    source_tokens: TokenKind | None = None
    """What the source is cut into."""
    target_tokens: TokenKind | None = None
    """What the target is cut into."""
    model: str | None = None
    """Which model: rnn, bahdanau, luong, conv or transformer. [default: transformer]"""
    start: Annotated[Path | None, Parameter(name="--from")] = None
    """A run, or any model folder, whose weights and vocabulary are begun with."""
    source_embeddings: Path | None = None
    """Vectors that the source's words begin with: word2vec's, GloVe's or fastText's."""
    target_embeddings: Path | None = None
    """The same for the target's words."""
    freeze_embeddings: Flag = False
    """Leave these vectors as they are."""
    preset: Literal["tiny", "small", "base", "big"] | None = None
    """The model's size; chosen from data and budget unless given."""
    budget: str | None = None
    """Train the best model that this much time allows, all told: 90s, 10m, 1h30m."""
    steps: int | None = None
    """Stop after so many steps."""
    seed: int | None = None
    """Seed of every random choice; a run repeats exactly only with as many threads."""
    threads: int | None = None
    """CPU threads."""
    device: Literal["auto", "cpu", "cuda", "mps"] | None = None
    """Where to train."""
    recipe: Path | None = None
    """A TOML file with any settings, in the sections text, model, training and decoding."""
    set: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    """One setting, as model.dropout=0.3; may be repeated, and wins over the recipe."""
    resume: Flag = False
    """Go on with the run in --out, also to prolong a finished one."""
    data: Path | None = None
    """Where the prepared data is kept; runs on the same text can share it. [default: OUT/data]"""
    quiet: Flag = False
    """Show nothing but errors."""

    def sections(self) -> Sections:
        """All settings that were given: preset, then recipe, then --set, then flags win."""
        from heedful import recipe
        from heedful.model_folder.card import RECIPE
        from heedful.models.config import kind_of
        from heedful.training.begun import begun_with
        from heedful.training.languages import with_language_codes

        flags: Sections = {
            "text": {
                "source_tokens": self.source_tokens,
                "target_tokens": self.target_tokens,
                "source_lang": self.source_lang,
                "target_lang": self.target_lang,
            },
            "model": {"kind": self.model},
            "training": {
                "budget": self.budget,
                "steps": self.steps,
                "start": None if self.start is None else str(self.start.resolve()),
                "seed": self.seed,
                "threads": self.threads,
                "device": self.device,
                "freeze_embeddings": self.freeze_embeddings or None,
            },
        }
        given = {s: {k: v for k, v in keys.items() if v is not None} for s, keys in flags.items()}
        assigned = recipe.assignments(self.set)
        told = self.model or assigned.get("model", {}).get("kind")
        stored = Path(self.out) / RECIPE
        if told is None and self.resume and stored.exists():
            told = given["model"]["kind"] = kind_of(recipe.read(stored).get("model"))
        layers: list[Any] = [
            {"text": {} if self.resume else self._languages()},
            recipe.read(Path(self.recipe), told) if self.recipe else {},
            assigned,
            given,
        ]
        sections = with_language_codes(recipe.merged(*layers))
        if self.start:
            sections = recipe.merged(begun_with(self.start, told), sections)
        kind = kind_of(sections.get("model"))
        if self.preset and self.start:
            raise InputError("--from names the model's size too: leave --preset out")
        if self.preset:
            sections = recipe.merged(recipe.preset(self.preset, kind), sections)
        # Says now what is wrong, before any work is done; sizes that are left open are like tiny's.
        checked = recipe.parse(recipe.merged(recipe.preset("tiny", kind), sections))
        if "budget" in sections.get("training", {}):
            sections["training"]["budget"] = checked.training.budget
        return sections

    def _languages(self) -> dict[str, str]:
        """As the files are called."""
        from heedful.text.languages import of_files

        found = of_files(self.source, self.target)
        return {"source_lang": found[0], "target_lang": found[1]} if found else {}

    def flags(self) -> list[str]:
        """What was given, as the words of a command line; without the run's place and model."""
        words: list[str] = []
        for field in fields(self):
            value, flag = getattr(self, field.name), "--" + field.name.replace("_", "-")
            flag = "--from" if field.name == "start" else flag
            elsewhere = field.name in ("out", "data", "model", "resume")
            if elsewhere or value is None or value is False or value == ():
                continue
            given = value if isinstance(value, tuple) else (value,)
            words += [f"{flag}={one}" if one is not True else flag for one in given]
        return words

    def corpus(self) -> ParallelCorpus | None:
        """The training text, if any was given."""
        return _corpus(self.source, self.target, self.pairs, "")

    def valid_corpus(self) -> ParallelCorpus | None:
        """The validation text, if any was given."""
        return _corpus(self.valid_source, self.valid_target, self.valid_pairs, "valid-")


def _corpus(
    source: str | None, target: str | None, pairs: str | None, prefix: str
) -> ParallelCorpus | None:
    from heedful.text.corpus import ParallelCorpus

    if source is None and target is None and pairs is None:
        return None
    if pairs is None and (source is None or target is None):
        missing = "source" if source is None else "target"
        raise InputError(f"--{prefix}{missing} is missing: source and target go together")
    if pairs is not None and (source is not None or target is not None):
        raise InputError(
            f"give --{prefix}pairs, or --{prefix}source and --{prefix}target; not both"
        )
    return ParallelCorpus(source=source, target=target, pairs=pairs)
