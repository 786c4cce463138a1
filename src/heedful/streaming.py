"""Translating a stream of lines: in order, as soon as possible, in constant memory."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from heedful.errors import InputError
from heedful.planning import Translation
from heedful.text.compression import compression_of
from heedful.text.lines import open_stored, read_lines
from heedful.text.parts import tell_from
from heedful.text.paths import STANDARD_INPUT
from heedful.text.utf8 import marked_encoding
from heedful.text.windows import windows
from heedful.translator import Translator, load

WINDOW = 2048
"""Lines translated together, at most: sorted by length, they make full batches."""

Put = Callable[[Iterable[str]], None]
"""Writes lines, all the way."""


def translate_stream(
    run: Path,
    source: str,
    output: Path | None,
    *,
    as_json: bool,
    how: dict[str, Any],
    options: dict[str, Any],
) -> None:
    """Reads lines, writes one for each (nbest of them if asked for). `how` is for `load`, the
    options are for `translate`."""
    translator = load(run, **how)
    translator.settings(**{k: v for k, v in options.items() if k != "prefix"})  # checked once, now
    if source != STANDARD_INPUT and not Path(source).is_fifo():
        with open_stored(source):  # it is there, before anything is overwritten
            pass
    lines = read_lines(source, translator.card.text.source_lang)
    if output is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]  # a file
        put = put_into(sys.stdout)
        write_translations(translator, lines, put, as_json=as_json, options=options)
        return
    if output.exists() and source != STANDARD_INPUT and output.samefile(source):
        raise InputError(f"{output} is the input too: choose another --output")
    with _opened(output) as put, _progress(source) as moved:
        write_translations(translator, lines, put, as_json=as_json, options=options, moved=moved)


def write_translations(
    translator: Translator,
    lines: Iterator[str],
    put: Put,
    *,
    as_json: bool,
    options: dict[str, Any],
    moved: Callable[[int], None] = lambda lines: None,
) -> None:
    """Window by window. Each is written before the next one is translated, and `moved` is told."""
    first = 1
    for window in windows(lines, WINDOW):
        found = translator.translate(window, on_cut=tell_from(first), **options)
        put(
            text + "\n"
            for number, translation in enumerate(found, start=first)
            for text in _rendered(translation, number, as_json)
        )
        first += len(window)
        moved(len(window))


def put_into(out: TextIO) -> Put:
    """Whoever reads it shall not have to wait."""

    def put(lines: Iterable[str]) -> None:
        out.writelines(lines)
        out.flush()

    return put


@contextmanager
def _opened(output: Path) -> Iterator[Put]:
    """Pipes and devices get each line at once. A file is written beside its place and moved there
    at the end: what goes wrong leaves the old one, and what was written till then is told."""
    is_file = output.is_file() or not output.exists()
    final = output.resolve() if is_file else output
    place = final.with_name(f".{final.name}.partial") if is_file else final
    with _told(output):
        out = place.open("w", encoding="utf-8", newline="\n")
    put = put_into(out)

    def put_or_tell(lines: Iterable[str]) -> None:
        with _told(output):
            put(lines)

    try:
        yield put_or_tell
        with _told(output):
            out.close()
            if is_file:
                _move(place, final)
    except BaseException:
        with suppress(OSError):  # what could not be written cannot be now
            out.close()
        if is_file:
            _leave(place)
        raise


@contextmanager
def _told(output: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{output} could not be written: {error}") from None


def _move(place: Path, final: Path) -> None:
    if final.exists():
        shutil.copymode(final, place)
    place.replace(final)


def _leave(place: Path) -> None:
    """Lines that took long shall not be lost."""
    if place.stat().st_size:
        print(f"heedful: what was translated before is in {place}", file=sys.stderr)
    else:
        place.unlink()


@contextmanager
def _progress(source: str) -> Iterator[Callable[[int], None]]:
    """A bar with the time left, on a terminal; without an end where the input has none."""
    if not sys.stderr.isatty():
        yield lambda lines: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (
        TextColumn("translating"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("lines"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=_count_lines(source))
        yield lambda lines: bar.advance(task, lines)


def _count_lines(source: str) -> int | None:
    """Of a file whose lines can be counted as they lie on the disk."""
    if not Path(source).is_file():
        return None
    with open_stored(source) as stored:
        head = stored.peek()
        if compression_of(source, head) or marked_encoding(head):
            return None
        return sum(block.count(b"\n") for block in iter(lambda: stored.read(1 << 20), b""))


def _rendered(translation: Translation, number: int, as_json: bool) -> Iterator[str]:
    for option in translation.nbest or (translation,):
        # A line in is a line out, whatever the model writes.
        text = option.text.replace("\r", " ").replace("\n", " ")
        if as_json:
            fields = {
                "line": number,
                "text": text,
                "score": round(option.score, 6),
                "tokens": list(option.tokens),
            }
            yield json.dumps(fields, ensure_ascii=False)
        else:
            yield text
