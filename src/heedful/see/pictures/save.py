"""Writing a figure: the format by the ending, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.errors import InputError
from heedful.files import new_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 160

# The dates are left out, so that the same record gives the same file.
METADATA: dict[str, dict[str, Any]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # words stay words, to be searched and copied
    "svg.hashsalt": "heedful",
}


def check_format(path: str | Path) -> str:
    """'png', 'svg' or 'pdf', by the ending; asked before drawing, so that no work is lost."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in METADATA:
        raise InputError(
            f"cannot draw {str(path)!r}: got the ending {ending!r}, wanted one of "
            f"{', '.join(METADATA)}; rename the picture"
        )
    return ending


def save(figure: Figure, path: str | Path) -> Path:
    """A reader never meets half a picture."""
    ending = check_format(path)
    with whole_file(path) as partial:
        write(figure, partial, ending)
    return Path(path)


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A file to write to, which takes the place of another only when it is whole."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_file(path) as partial:
            yield partial
    except OSError as error:
        raise InputError(
            f"{path} could not be written ({error}). What was there before is untouched"
        ) from None


def write(figure: Figure, where: Any, ending: str) -> None:
    """Into a file, or whatever takes its bytes or pages."""
    from matplotlib import rc_context

    with rc_context(_SETTINGS):
        figure.savefig(where, format=ending, dpi=DPI, bbox_inches="tight", pad_inches=0.15,
                       facecolor="white", metadata=METADATA[ending])  # fmt: skip
