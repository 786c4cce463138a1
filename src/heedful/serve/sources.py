"""Which language each text is in, and so which model translates it."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.serve.detect import Guess, guess_language
from heedful.serve.models import Models
from heedful.serve.refused import Refused
from heedful.serve.service import Translated, translate_html, translate_texts
from heedful.serve.translation_options import TranslationOptions

AUTO = "auto"
SURE = 50.0  # percent: less is no reason to refuse a text


def is_auto(source: str) -> bool:
    """Whether it is for us to find out."""
    return source.lower() == AUTO


def guess_source(models: Models, text: str, target: str) -> Guess:
    """Among the languages that can be translated to the target, and the target itself: then
    it is there already. Refused if it is plainly another one of ours."""
    known = models.targets()
    able = [c for c, to in known.items() if target.lower() in map(str.lower, to)]
    if not able:
        raise Refused(400, f"{target[:20]} is not supported")
    likely = [*able, *(c for c in known if c.lower() == target.lower())]
    of_all = guess_language(text, known)[0]
    if of_all.language not in likely and of_all.confidence >= SURE:
        raise Refused(400, f"{target} is not supported as a target language of {of_all.language}")
    return guess_language(text, likely)[0]


def guess_sources(models: Models, texts: Sequence[str], source: str, target: str) -> list[Guess]:
    """One for each text; none if the source is known."""
    return [guess_source(models, text, target) for text in texts] if is_auto(source) else []


def is_there_already(models: Models, source: str, target: str) -> bool:
    """Whether both are the same language of ours."""
    return source.lower() == target.lower() and models.knows(source)


async def translate_from(
    models: Models,
    texts: list[str],
    sources: list[str],
    target: str,
    kind: str,
    options: TranslationOptions,
) -> list[list[Translated]]:
    """Each from its own source; those of one model go together. What is there already stays."""
    translate = translate_html if kind == "html" else translate_texts
    found: dict[int, list[Translated]] = {}
    for source in dict.fromkeys(sources):
        if is_there_already(models, source, target):
            continue
        rows = [row for row, own in enumerate(sources) if own == source]
        served = models.get(source, target)
        if not found:
            served.check_room()
        done = await translate(served, [texts[row] for row in rows], options, again=bool(found))
        found.update(zip(rows, done, strict=True))
    return [found.get(row) or [Translated(text, 0.0)] for row, text in enumerate(texts)]
