"""`heedful see`: a picture of a sentence, or the page."""

from __future__ import annotations

import re
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.draw import curve
from heedful.errors import HeedfulError, InputError
from heedful.files import write_atomically
from heedful.see.names import Picture
from heedful.see.pictures.chosen import chosen_attention
from heedful.see.pictures.save import check_format, save
from heedful.see.pictures.sheet import save_sheet
from heedful.see.recording.record import Record
from heedful.seeing.catalogue import Choice, Subject

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from heedful.translator import Translator

SHEET: tuple[Picture, ...] = ("alignment", "arcs", "heads", "step", "masks", "search")
"""The pictures of a contact sheet."""
RECORD = ".json"
PAGE = (".html", ".htm")
_SPACES = re.compile(r"[\t-\r]+")  # a sentence is one line


def see(
    words: Sequence[str],
    *,
    picture: Picture | None,
    out: Path | None,
    target: str | None,
    choice: Choice,
    port: int,
    save: Path | None,
    browser: bool,
) -> None:
    """`words` are runs, and after them a sentence, or several for a page that is saved; or the file
    of a record."""
    if words and words[0].endswith(RECORD):
        if len(words) > 1 or save is not None or picture == "curve":
            raise InputError(f"{words[0]} is a record: it has one sentence, no curve and no page")
        if target is not None:
            raise InputError(
                f"{words[0]} is a record, which has its translation: leave --target out"
            )
        kept = _opened(Path(words[0]))
        print(draw(Subject(choice, kept=kept), picture, out))
        return
    runs, sentences = _split(words)
    if save is not None:
        from heedful.page.saved_page import save_page

        if not sentences:
            raise InputError("--save wants sentences to record: write them behind the runs")
        if picture is not None or out is not None or target is not None:
            raise InputError("--save is of the whole page: leave --as, --out and --target out")
        if save.suffix.lower() not in PAGE:
            raise InputError(f"--save writes a page, got {save}: give it a name that ends in .html")
        print(save_page(save, _loaded(runs), sentences))
    elif picture == "curve":
        if len(runs) > 1 or sentences:
            raise InputError("a curve is of one run, and of no sentence")
        print(_curve(runs[0], out or Path("curve.png")))
    elif sentences or picture is not None or out is not None:
        if len(runs) > 1 or len(sentences) > 1:
            raise InputError("a picture is of one run and one sentence; --save takes several")
        (translator,) = _loaded(runs).values()
        source = sentences[0] if sentences else None
        print(draw(Subject(choice, translator, source, target), picture, out))
    elif target is not None or choice != Choice():
        raise InputError("what is chosen is of a sentence: write it behind the run")
    else:
        serve(_loaded(runs), port, browser=browser)


def _split(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Folders come first."""
    n = (*map(_is_folder, words), False).index(False)
    if n == 0:
        given = f"{words[0]!r} is no folder" if words else "none was given"
        raise InputError(f"a run to see is wanted, a folder that `heedful train` made; {given}")
    sentences = [_SPACES.sub(" ", word.encode(errors="replace").decode()) for word in words[n:]]
    return [Path(word) for word in words[:n]], sentences


def _is_folder(word: str) -> bool:
    try:
        return bool(word) and Path(word).is_dir()
    except OSError:  # such as a sentence that is too long for a name
        return False


def _opened(path: Path) -> Record:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    return Record.from_json(text, where=str(path))


def _loaded(runs: Sequence[Path]) -> dict[str, Translator]:
    from heedful.translator import load

    return {str(run): load(run, engine="torch") for run in runs}


def _curve(run: Path, out: Path) -> Path:
    check_format(out)
    return save(curve(run), out)


def draw(subject: Subject, picture: Picture | None, out: Path | None) -> Path:
    """One picture, a sheet of several, or the record itself -> its file."""
    if out is not None and out.suffix == RECORD:
        if picture is not None:
            raise InputError(f"{out} would hold all of the record: leave --as out")
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, subject.record.to_json())
        return out
    path = out or Path(f"{picture or 'sheet'}.png")
    check_format(path)  # before anything is drawn, so that no work is lost
    if picture is not None:
        subject.choice.check(picture)
        return save(subject.drawn(picture), path)
    choice = subject.choice
    chosen_attention(subject.record, choice.kind, choice.layer)  # an error of it is reported once
    return save_sheet(_sheet(subject), path)


def _sheet(subject: Subject) -> dict[str, Figure]:
    """The pictures that there are of this; what is missing is told."""
    found: dict[str, Figure] = {}
    missing = None
    for name in SHEET:
        try:
            found[name] = subject.drawn(name)
        except HeedfulError as error:
            missing = error
            print(f"without {name}: {error}", file=sys.stderr)
    if missing is not None and not found:
        raise missing
    return found


def serve(translators: dict[str, Translator], port: int, *, browser: bool) -> None:
    """Until it is stopped."""
    from heedful.page.server import HOST, Answers, make_server

    server = make_server(Answers(translators), port)
    address = f"http://{HOST}:{server.server_port}/"
    print(f"{address} (Ctrl+C ends it)", flush=True)
    if browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    try:
        server.serve_forever()
    finally:
        server.server_close()
