"""Models that are served side by side, and such that cannot be."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heedful

from ..trained import TINY, Command, Text, is_told_briefly
from .served import running


@pytest.mark.parametrize(
    "damage", [lambda file: file.write_bytes(b"garbage"), Path.unlink], ids=["broken", "missing"]
)
def test_a_tokenizer_is_told_by_the_name_of_the_run(
    prose_run: Path, tmp_path: Path, command: Command, damage: Callable[[Path], None]
) -> None:
    run = tmp_path / "run"
    shutil.copytree(prose_run, run)
    damage(run / "tokenizer.model")
    answer = command("serve", run, "--port", 0)
    assert is_told_briefly(answer)
    assert str(run / "tokenizer.model") in answer.err


GERMAN = "Der Hund und die Katze schlafen heute im Garten hinter dem Haus."
ENGLISH = "The dog and the cat are sleeping in the garden behind the house today."


def test_each_request_reaches_the_model_of_its_languages(
    prose_run: Path, luong_run: Path, prose_text: Text, tmp_path: Path
) -> None:
    """Three models that say different things; two of them in one list whose languages are found
    out."""
    back = tmp_path / "back"
    source, target = prose_text.target, prose_text.source
    heedful.train(out=back, source=source, target=target, steps=20, threads=1, set=TINY, quiet=True)
    pairs = {"en-eo": prose_run, "eo-en": back, "de-eo": luong_run}
    alone = {pair: heedful.load(run, threads=1) for pair, run in pairs.items()}
    names = [word for pair in pairs for word in ("--name", pair)]
    with running(*pairs.values(), *names, "--rate", 0) as server:

        def asked(text: str | list[str], pair: str) -> Any:
            source, target = pair.split("-")
            return server.translate(text, source=source, target=target)

        def said(text: str, pair: str) -> str:
            ignored = {"on_cut": lambda line, reason: None}
            return alone[pair].translate(text, copy=True, **ignored).text

        found = {pair: asked(ENGLISH, pair) for pair in pairs}
        assert found == {pair: said(ENGLISH, pair) for pair in pairs}
        assert len(set(found.values())) == 3
        wanted = [found["en-eo"], said(GERMAN, "de-eo")]
        assert asked([ENGLISH, GERMAN], "auto-eo") == wanted
        assert asked([GERMAN, ENGLISH], "auto-eo") == wanted[::-1]
        refused = server.ask("/translate", {"q": GERMAN, "source": "de", "target": "en"})
        assert (refused.status, refused.data["error"]) == (
            400, "en is not supported as a target language of de",
        )  # fmt: skip
