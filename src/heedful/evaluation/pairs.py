"""Hypotheses beside their references: the form in which every score takes its text."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.errors import InputError
from heedful.text.tidy import tidy


class Pairs:
    """As many hypotheses as references, at least one of each, both normalised (NFC, no white space
    around a line) as training text is: how a file spells "é" must not change a score.

    Scores are computed from `Pairs` only, so no text can reach them as it was read.
    """

    def __init__(
        self, hypotheses: Sequence[str], references: Sequence[str], name: str = "the hypotheses"
    ) -> None:
        """Raise an error if the lines cannot be paired; `name` says whose hypotheses they are."""
        if len(hypotheses) != len(references):
            raise InputError(
                f"{name} and the references differ in length: got {len(hypotheses)} hypotheses and "
                f"{len(references)} references, wanted one hypothesis for each reference; "
                "check that both come from the same source file"
            )
        if not references:
            raise InputError(
                f"nothing to score: {name} and the references have no lines; "
                "wanted at least one, check the files"
            )
        self.hypotheses = [tidy(line) for line in hypotheses]
        self.references = [tidy(line) for line in references]

    def __len__(self) -> int:
        return len(self.references)
