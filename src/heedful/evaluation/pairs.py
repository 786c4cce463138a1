"""The check that every score starts with: as many hypotheses as references, and at least one."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.errors import InputError


def check_pairs(
    hypotheses: Sequence[str], references: Sequence[str], name: str = "the hypotheses"
) -> None:
    """Refuse what cannot be paired line by line; `name` says whose hypotheses they are."""
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
