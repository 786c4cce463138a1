"""The functions of the package that are commands too: `heedful.train`, `heedful.evaluate` and
`heedful.export`. Importing this module loads neither torch nor pydantic. Annotations are evaluated
here, so that help() shows types and not their source in quotes."""

import json
import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from heedful.errors import InputError, check_known
from heedful.evaluation.names import Tokenize
from heedful.exports.names import Format, Quantization
from heedful.text.special import TokenKind

if TYPE_CHECKING:
    from heedful.evaluation import Report
    from heedful.training.options import TrainOptions
    from heedful.training.session import Outcome
    from heedful.translator import Translator

PATHS = ("out", "start", "source_embeddings", "target_embeddings", "recipe", "data")
"""The parameters of `train` that TrainOptions takes as a Path; text files may also be "-"."""


def train(
    *,
    out: str | PathLike[str],
    source: str | PathLike[str] | None = None,
    target: str | PathLike[str] | None = None,
    pairs: str | PathLike[str] | None = None,
    valid_source: str | PathLike[str] | None = None,
    valid_target: str | PathLike[str] | None = None,
    valid_pairs: str | PathLike[str] | None = None,
    source_lang: str | None = None,
    target_lang: str | None = None,
    source_tokens: TokenKind | None = None,
    target_tokens: TokenKind | None = None,
    model: str | None = None,
    start: str | PathLike[str] | None = None,
    source_embeddings: str | PathLike[str] | None = None,
    target_embeddings: str | PathLike[str] | None = None,
    freeze_embeddings: bool = False,
    preset: Literal["tiny", "small", "base", "big"] | None = None,
    budget: str | None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    device: Literal["auto", "cpu", "cuda", "mps"] | None = None,
    recipe: str | PathLike[str] | None = None,
    set: Mapping[str, object] | Sequence[str] = (),  # noqa: A002 as the flag --set
    resume: bool = False,
    data: str | PathLike[str] | None = None,
    quiet: bool = False,
) -> "Outcome":
    """Train a model on parallel text and save it in the folder `out`.

    Training ends after `budget`, after `steps`, or when validation stops improving. Validation
    lines are set aside, subwords are learnt and sizes are chosen unless given.

    Parameters
    ----------
    out
        Folder of the run. It must not hold another run, except to `resume` that.
    source, target
        Two files of lines that translate each other; .gz, .xz and .zst are decompressed.
    pairs
        Instead of both, one file with source, tab and target on each line.
    valid_source, valid_target, valid_pairs
        Validation lines; some of the training lines are set aside unless given.
    source_lang, target_lang
        Language codes that are stored in the model; from names such as train.en unless given.
    source_tokens, target_tokens
        What each side is cut into: "subwords" (the default), "words" or "chars".
    model
        "rnn", "bahdanau", "luong", "conv" or "transformer" (the default).
    start
        A run or model folder to fine-tune: its weights and vocabulary are the initial ones.
    source_embeddings, target_embeddings, freeze_embeddings
        Pretrained word vectors (word2vec, GloVe or fastText), and whether they stay as they are.
    preset
        The size of the model; from the data and the budget unless given.
    budget, steps
        Train the best model that this time allows, in all ("90s", "10m", "1h30m"); or stop after
        this number of steps.
    seed
        Seed of every random choice; a run repeats exactly only with the same number of threads.
    threads, device
        CPU threads, and "auto", "cpu", "cuda" or "mps".
    recipe
        A TOML file of settings, in the sections text, model, training and decoding.
    set
        Settings by name, which override the recipe: {"model.dropout": 0.3}.
    resume, quiet
        Continue the run in `out`, also to prolong a finished one; print nothing.
    data
        Folder of the prepared data, which runs on the same text can share; out/data unless given.

    Returns
    -------
    The folder, the steps and seconds of training, and BLEU, chrF and loss on the validation lines.

    Examples
    --------
    >>> heedful.train(source="train.en", target="train.de", out="runs/en-de", budget="10m")
    >>> settings = {"model.kind": "luong", "model.dropout": 0.2}
    >>> heedful.train(pairs="train.tsv", out="runs/luong", steps=20_000, set=settings)
    >>> heedful.train(out="runs/luong", resume=True, steps=30_000)
    """
    given = dict(locals())  # the parameters: no other name is bound yet
    from heedful.training.run import train_run

    return train_run(_train_options(given))


def _train_options(given: dict[str, Any]) -> "TrainOptions":
    """Paths as TrainOptions takes them, and settings as the flag --set takes them."""
    from heedful.training.options import TrainOptions

    for name, value in given.items():
        if name in PATHS and value is not None:
            given[name] = Path(value)
        elif isinstance(value, PathLike):
            given[name] = os.fspath(value)
    settings = given.pop("set")
    if isinstance(settings, Mapping):  # TOML spells numbers, truth values and text as JSON does
        settings = [f"{name}={json.dumps(value)}" for name, value in settings.items()]
    elif isinstance(settings, str):
        settings = [settings]
    return TrainOptions(**given, set=tuple(settings))


def evaluate(
    model: "Translator | str | PathLike[str] | None" = None,
    *,
    source: str | PathLike[str] | Sequence[str] | None = None,
    hypothesis: str | PathLike[str] | Sequence[str] | None = None,
    reference: str | PathLike[str] | Sequence[str],
    beam: int | None = None,
    tokenize: Tokenize = "13a",
    words: bool | None = None,
) -> "Report":
    """Score the translations of a model, or translations that others have made.

    Parameters
    ----------
    model
        What `heedful.load` returns, or the folder of a run. It translates `source`.
    source, reference
        Lines to translate, and their true translations: the path of a file, or a list of lines.
    hypothesis
        Instead of a model and a source, the translations to score.
    beam
        Hypotheses kept at each step of the search; the model's own setting unless given.
    tokenize
        How BLEU cuts text into words: sacreBLEU's "13a", "intl", "zh" or "char", or "none" for
        text that is tokenised already.
    words
        Report the word error rate too; for models whose targets are words unless given.

    Returns
    -------
    BLEU, chrF and exact match with their confidence intervals: `report.bleu.value`.

    Examples
    --------
    >>> heedful.evaluate("runs/en-de", source="test.en", reference="test.de").bleu.value
    >>> heedful.evaluate(model, source=["A dog runs."], reference=["Ein Hund rennt."], beam=1)
    >>> heedful.evaluate(hypothesis="other.de", reference="test.de")
    """
    from heedful.evaluation import evaluate as score

    check_known("tokenize", tokenize, get_args(Tokenize))
    references = [line.strip() for line in _lines("reference", reference)]
    if model is not None and source is not None and hypothesis is None:
        sources, translator = _lines("source", source), _translator(model)
        if len(sources) != len(references):
            raise InputError(
                f"got {len(sources):,} source lines and {len(references):,} references: line n of "
                f"one must translate line n of the other"
            )
        translated = translator.translate(sources, **({} if beam is None else {"beam": beam}))
        hypotheses = [translation.text for translation in translated]
        words = translator.card.text.target_tokens == "words" if words is None else words
    elif model is None and source is None and hypothesis is not None:
        hypotheses = _lines("hypothesis", hypothesis)
    else:
        raise InputError(
            "give a model and its source, or hypothesis alone: evaluate(model, source=…, "
            "reference=…) or evaluate(hypothesis=…, reference=…)"
        )
    return score(hypotheses, references, words=bool(words), tokenize=tokenize)


def _translator(model: "Translator | str | PathLike[str]") -> "Translator":
    from heedful.translator import Translator, load

    return model if isinstance(model, Translator) else load(os.fspath(model))


def _lines(name: str, given: str | PathLike[str] | Sequence[str]) -> list[str]:
    """The lines of a file, or those that were given."""
    from heedful.text.lines import read_lines

    if isinstance(given, str | PathLike):
        return list(read_lines(Path(given)))
    lines = list(given)
    for wrong in (line for line in lines if not isinstance(line, str)):
        raise InputError(f"got {wrong!r} in {name}: a list of lines, or a file's path, is wanted")
    return lines


def export(
    run: str | PathLike[str],
    *,
    to: Format,
    out: str | PathLike[str] | None = None,
    quantize: Quantization | None = None,
) -> Path:
    """Write the model of a run in the files of other software.

    Parameters
    ----------
    run
        A run, or any model folder.
    to
        "ctranslate2", "huggingface" (a MarianMT model for transformers), "onnx", or "argos" (a
        package for Argos Translate and LibreTranslate).
    out
        The new folder or file; beside the run, with -ctranslate2, -huggingface, -onnx or
        .argosmodel behind its name, unless given.
    quantize
        Store numbers of fewer bits, as "int8"; CTranslate2 and Argos Translate only.

    Returns
    -------
    The path of the new folder or file. Models that were trained with text.jamo write Hangul letter
    by letter there: join the letters with unicodedata.normalize("NFC", text).

    Examples
    --------
    >>> heedful.export("runs/en-de", to="ctranslate2", quantize="int8")
    PosixPath('runs/en-de-ctranslate2')
    """
    from heedful.exports.export import export_model

    place = None if out is None else Path(out)
    return export_model(Path(run), place, to=to, quantize=quantize, report=lambda line: None)
