"""Everything that heedful raises for its users, in one tree.

A message says what was got, what was wanted, where, and what to do; the command line prints it
without a traceback and exits with 1.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HeedfulError(Exception):
    """The base: catch this to catch every error that is about the input, not about heedful."""


class InputError(HeedfulError):
    """A text file or a line that cannot be used."""


class RecipeError(HeedfulError):
    """A setting that is unknown, out of range, or at odds with another one."""


class ModelFolderError(HeedfulError):
    """A model folder or a run that is missing, damaged, newer than this heedful, or in use."""


class TrainingError(HeedfulError):
    """Training that cannot start or go on."""


class Interrupted(Exception):  # noqa: N818 - not an error: it was asked for
    """SIGINT or SIGTERM stopped a training, and everything is saved."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"stopped by signal {signal_number}")
        self.signal_number = signal_number


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """' (did you mean X?)' for the nearest known word, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def check_known(option: str, value: str, known: Iterable[str]) -> None:
    """Raise RecipeError unless the value of an option is one of those that are known."""
    names = list(known)
    if value not in names:
        raise RecipeError(f"{option} {value!r} is not known: take one of {', '.join(names)}")
