"""The command line: each command is a function here, and does its work elsewhere. Those of `heedful
compare` are in comparison/commands.py."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Parameter

from heedful import __version__
from heedful.comparison.commands import compare_app
from heedful.engines.names import Device, EngineName
from heedful.errors import HeedfulError, Interrupted
from heedful.evaluation.names import Tokenize
from heedful.exports.names import Format, Quantization
from heedful.see.names import Picture
from heedful.serve.guard.command import keys_app
from heedful.serve.options import ServeOptions
from heedful.training.options import Flag, TextFile, TrainOptions

# A budget counts from the start of the process: until here it has only computed.
STARTED = time.monotonic() - time.process_time()

app = App(
    name="heedful",
    version=__version__,
    help="Sequence-to-sequence learning with attention: train, translate, see and judge.",
)


@app.command
def demo(
    *,
    to: Literal["fr", "ko"] = "fr",
    out: Path | None = None,
    seed: int = 1,
    budget: str = "180s",
    steps: int | None = None,
) -> None:
    """Generate sentence pairs, train on them, and show what the model has learnt.

    Parameters
    ----------
    to
        The target language: French or Korean.
    out
        Where everything goes. [default: runs/demo-fr or runs/demo-ko]
    seed
        What the data and the training start from.
    budget
        The time that training may take.
    steps
        Train so many steps instead.
    """
    from heedful.demo.run import run_demo

    length = {"budget": budget} if steps is None else {"steps": steps}
    run_demo(to, out=out or Path(f"runs/demo-{to}"), seed=seed, length=length)


@app.command
def train(options: TrainOptions) -> None:
    """Train a model on parallel text."""
    options.sections()  # a mistyped setting is told before torch is loaded
    from heedful.training.pace import Clock
    from heedful.training.run import train_run

    train_run(options, clock=Clock(spent=time.monotonic() - STARTED))


@app.command
def translate(
    run: Path,
    /,
    *,
    input: Annotated[str, Parameter(allow_leading_hyphen=True)] = "-",  # noqa: A002 the flag's name
    output: Path | None = None,
    beam: int | None = None,
    nbest: int = 1,
    json: Flag = False,
    sample: Flag = False,
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int | None = None,
    prefix: str | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    normalise: Literal["length", "gnmt"] | None = None,
    alpha: float | None = None,
    stop: Literal["first", "exact"] | None = None,
    patience: float | None = None,
    batch_tokens: int | None = None,
    no_split: Flag = False,
    engine: EngineName = "auto",
    quantize: Quantization | None = None,
    threads: int | None = None,
    device: Device = "auto",
) -> None:
    """Translate lines, one for one and in order.

    Parameters
    ----------
    run
        A run, or any model folder.
    input
        A file of lines, also .gz, .xz or .zst; - is standard input.
    output
        Where to write; standard output unless given.
    beam
        Hypotheses kept at each step; 1 is greedy.
    nbest
        Translations of each line, best first.
    json
        One JSON object a line, with text, score and tokens.
    sample
        Draw from the model's distribution instead of searching.
    temperature
        Sampling: below 1 sharpens, above 1 flattens.
    top_k
        Sampling: only among so many of the likeliest tokens.
    top_p
        Sampling: only among the likeliest tokens of this total probability.
    seed
        Sampling: what the draws start from.
    prefix
        Text that every translation begins with.
    min_length
        Fewest tokens of a translation.
    max_length
        Most tokens of a translation.
    normalise
        What a score is divided by: length^alpha, or ((5 + length) / 6)^alpha.
    alpha
        The exponent of it.
    stop
        When the search stops: when enough hypotheses are finished, or exact.
    patience
        How many are enough, as a multiple of the beam.
    batch_tokens
        Source tokens, times hypotheses, translated at once.
    no_split
        Translate a line of several sentences as one.
    engine
        What searches: CTranslate2 where it can, else torch; or one of them for certain.
    quantize
        Compute with numbers of fewer bits: faster, a little less exact (CTranslate2 only).
    threads
        CPU threads.
    device
        Where to translate.
    """
    from heedful.streaming import translate_stream

    options = {
        "beam": beam, "temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed,
        "min_length": min_length, "max_length": max_length, "normalise": normalise,
        "alpha": alpha, "stop": stop, "patience": patience, "batch_tokens": batch_tokens,
        "prefix": prefix, "sample": sample or None, "split_sentences": False if no_split else None,
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    translate_stream(
        run,
        input,
        output,
        as_json=json,
        how={"engine": engine, "device": device, "threads": threads, "quantize": quantize},
        options=given | {"nbest": nbest},
    )


@app.command
def evaluate(
    *runs: Annotated[Path, Parameter(json_list=False)],  # a name may begin with [
    source: TextFile = None,
    reference: Annotated[str, Parameter(allow_leading_hyphen=True)],
    hypothesis: Annotated[
        tuple[str, ...],
        Parameter(allow_leading_hyphen=True, negative_iterable=(), show_default=False),
    ] = (),
    beam: int | None = None,
    tokenize: Tokenize = "13a",
    words: bool | None = None,
    ter: bool | None = None,
    json: Flag = False,
    engine: EngineName = "auto",
    quantize: Quantization | None = None,
    threads: int | None = None,
    device: Device = "auto",
) -> None:
    """Judge a model, or a file of translations, by known translations; several are compared.

    Parameters
    ----------
    runs
        One run or more; the others are compared with the first.
    source
        Lines that the runs translate.
    reference
        Their true translations.
    hypothesis
        A file of translations by any system, judged like a run; may be repeated.
    beam
        Hypotheses kept at each step; 1 is greedy.
    tokenize
        How BLEU cuts text into words: sacreBLEU's 13a, intl, zh, ja-mecab (the extra heedful[ja]),
        ko-mecab (heedful[ko]), flores200 or char; none for lines that are tokenised already.
    words
        Tell the word error rate too. [default: of runs whose targets are words]
    ter
        Tell the translation edit rate. [default: unless lines are so long that it takes minutes]
    json
        Print JSON instead of tables.
    engine
        What searches: CTranslate2 where it can, else torch; or one of them for certain.
    quantize
        Compute with numbers of fewer bits: faster, a little less exact (CTranslate2 only).
    threads
        CPU threads.
    device
        Where to translate.
    """
    from heedful.judging import Judging, judge

    judge(
        Judging(runs=runs, source=source, reference=reference, hypotheses=hypothesis),
        beam=beam,
        tokenize=tokenize,
        words=words,
        ter=ter,
        as_json=json,
        how={"engine": engine, "device": device, "threads": threads, "quantize": quantize},
    )


app.command(compare_app)


@app.command
def see(
    *words: Annotated[str, Parameter(json_list=False, allow_leading_hyphen=False)],
    picture: Annotated[Picture | None, Parameter(name="--as")] = None,
    out: Path | None = None,
    target: str | None = None,
    kind: Literal["encoder", "decoder", "cross"] | None = None,
    layer: int | None = None,
    head: Annotated[tuple[int, ...], Parameter(negative_iterable=())] = (),
    word: str | None = None,
    numbers: Flag = False,
    port: int = 8017,
    save: Path | None = None,
    no_browser: Flag = False,
) -> None:
    """See where a model looks: a picture of a sentence, or a page to try sentences on.

    Parameters
    ----------
    words
        A run, or several to compare; then a sentence. Without one, a page opens.
    picture
        Which picture; without it, several on a sheet.
    out
        The picture's file, PNG, SVG or PDF by its name; as JSON, all that was recorded, which can
        be given instead of a run and a sentence later.
    target
        A translation to see while it is written, instead of the model's own.
    kind
        Which attention; the one over the source unless given.
    layer
        Its layer, from 1; the last unless given (for projections, of the encoder, the first).
    head
        Its head, from 1; may be repeated; all unless given (for step, the first).
    word
        The word that looks; a later one of several alike as it:2.
    numbers
        Write each weight into its cell.
    port
        Of the page; 0 takes any that is free.
    save
        Write the page into one HTML file, with the sentences that stand behind the runs.
    no_browser
        Do not open the page, only say where it is.
    """
    from heedful.seeing.catalogue import Choice
    from heedful.seeing.command import see as run_see

    run_see(
        words,
        picture=picture,
        out=out,
        target=target,
        choice=Choice(kind, layer, head, word, numbers),
        port=port,
        save=save,
        browser=not no_browser,
    )


@app.command
def export(
    run: Path,
    /,
    *,
    to: Format,
    out: Path | None = None,
    quantize: Quantization | None = None,
) -> None:
    """Write a model in the files of other software.

    Parameters
    ----------
    run
        A run, or any model folder.
    to
        A folder for CTranslate2, for Hugging Face's transformers (as a MarianMT model, or as a
        Pegasus or Blenderbot model if its layers are pre-norm), or for whatever runs ONNX, such as
        Hugging Face's Optimum; or a package for Argos Translate, which LibreTranslate serves.
    out
        The new folder or file. [default: the run's name with -ctranslate2, -huggingface, -onnx
        or .argosmodel behind it]
    quantize
        CTranslate2 and Argos Translate: store numbers of fewer bits.
    """
    from heedful.exports.export import export_model

    export_model(run, out, to=to, quantize=quantize)


@app.command(name="import")
def import_model(folder: Path, /, *, out: Path, target_token: str | None = None) -> None:
    """Make a run of a model of others: a MarianMT folder, as OPUS-MT's are, or a Pegasus folder
    that heedful exported.

    Parameters
    ----------
    folder
        The model, as Hugging Face's transformers stores it, its weights in model.safetensors.
    out
        The run's folder; it must not be there yet.
    target_token
        Of a model of several target languages: which it is to write, such as ">>deu<<".
    """
    from heedful.imports.marian import import_marian

    import_marian(folder, out, target_token=target_token)


@app.command
def serve(
    *runs: Annotated[Path, Parameter(json_list=False)],
    options: ServeOptions = ServeOptions(),  # noqa: B008 - it is frozen
) -> None:
    """Answer requests for translations, as LibreTranslate does and more.

    Parameters
    ----------
    runs
        One run for each pair of languages.
    """
    from heedful.serve.command import serve as run_serve

    run_serve(runs, options)


app.command(keys_app)


@app.command
def info(run: Path, /, *, json: Flag = False) -> None:
    """Say what a model is, what it was trained on, and how good it is.

    Parameters
    ----------
    run
        A run, or any model folder.
    json
        Print JSON.
    """
    from heedful.describe import describe

    describe(run, as_json=json)


def main() -> None:
    """Runs the command; an error is told in a line or two, without a traceback."""
    try:
        app(exit_on_error=False)
    except CycloptsError:
        sys.exit(2)  # it has been printed
    except HeedfulError as error:
        print(f"heedful: {error}", file=sys.stderr)
        sys.exit(1)
    except Interrupted as interruption:  # it has been told, and everything is saved
        sys.exit(128 + interruption.signal_number)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        _give_up_output()
        sys.exit(0)
    except OSError as error:  # a full disk, say
        _give_up_output()
        print(f"heedful: {error}", file=sys.stderr)
        sys.exit(1)


def _give_up_output() -> None:
    """What could not be written shall not be tried again when Python ends."""
    if sys.__stdout__ is not None and sys.stdout is sys.__stdout__:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())
