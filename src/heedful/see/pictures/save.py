"""Writing a figure: the format by the ending, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.errors import InputError
from heedful.files import new_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 160

# The dates are left out, so that the same record gives the same file.
_METADATA: dict[str, dict[str, Any]] = {
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
    if ending not in _METADATA:
        raise InputError(
            f"cannot draw {str(path)!r}: got the ending {ending!r}, wanted one of "
            f"{', '.join(_METADATA)}; rename the picture"
        )
    return ending


def save(figure: Figure, path: str | Path) -> Path:
    """A reader never meets half a picture."""
    from matplotlib import rc_context

    path = Path(path)
    ending = check_format(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_file(path) as partial, rc_context(_SETTINGS):
            figure.savefig(
                partial,
                format=ending,
                dpi=DPI,
                bbox_inches="tight",
                pad_inches=0.15,
                facecolor="white",
                metadata=_METADATA[ending],
            )
    except OSError as error:
        raise InputError(
            f"{path} could not be written ({error}). What was there before is untouched"
        ) from None
    return path
