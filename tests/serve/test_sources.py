"""Which language a text is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import pytest

from heedful.serve.models import Models
from heedful.serve.refused import Refused
from heedful.serve.sources import guess_source

GERMAN = "Guten Morgen, wie geht es dir heute?"
FRENCH = "Le chien court dans la rue et la vache dort."


@dataclass(frozen=True)
class FromEnglish:
    """To German and to French."""

    def targets(self) -> dict[str, list[str]]:
        return {"en": ["de", "fr"], "de": [], "fr": []}


MODELS = cast(Models, FromEnglish())


@pytest.mark.parametrize(
    ("text", "target", "language"),
    [
        ("Good morning, how are you today?", "de", "en"),
        (GERMAN, "de", "de"),  # it is there already
        (FRENCH, "fr", "fr"),
        ("42", "de", "en"),  # nothing tells it
    ],
)
def test_among_those_that_can_be_translated(text: str, target: str, language: str) -> None:
    assert guess_source(MODELS, text, target).language == language


@pytest.mark.parametrize(("text", "code", "target"), [(GERMAN, "de", "fr"), (FRENCH, "fr", "de")])
def test_what_is_plainly_another_is_refused(text: str, code: str, target: str) -> None:
    with pytest.raises(Refused, match=f"{target} is not supported as a target language of {code}"):
        guess_source(MODELS, text, target)
