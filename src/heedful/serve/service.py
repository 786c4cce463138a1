"""Texts -> translated texts: what every way to ask the server comes down to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from heedful.documents.labels import Languages
from heedful.documents.markup import read_markup
from heedful.documents.passage import Composed
from heedful.documents.translatable import Hint, Translatable
from heedful.planning import Translation
from heedful.serve.aside import aside
from heedful.serve.desk import Place
from heedful.serve.models import Served
from heedful.serve.refused import Refused
from heedful.serve.translate_lines import prefixes_of, translate_lines
from heedful.serve.translation_options import USUAL, TranslationOptions
from heedful.text.links import Link
from heedful.text.paragraphs import split_paragraphs

PASSAGES = 500  # of a file that are translated at a time


@dataclass(frozen=True)
class Translated:
    """A whole text, with all its paragraphs."""

    text: str
    score: float
    links: tuple[Link, ...] = ()


async def translate_texts(
    served: Served,
    texts: Sequence[str],
    options: TranslationOptions = USUAL,
    *,
    again: bool = False,
) -> list[list[Translated]]:
    """Of each text its translation, then others, best first. Its paragraphs stay apart as they
    were, with the marks that they begin with; a prefix is that of its first. What is asked `again`
    was let in before."""
    if options.align:
        _check_attends(served)
    split = [split_paragraphs(text) for text in texts]
    lines = [line for of_text, _ in split for line in of_text]
    prefix = options.prefix
    begun = [one for some in split for one in prefixes_of(prefix, *some)] if prefix else ()
    found = await translate_lines(served, lines, options, prefixes=begun, again=again)
    done = iter(found)
    return [
        _ranked(of_text, [next(done) for _ in of_text], gaps, options.nbest)
        for of_text, gaps in split
    ]


def _check_attends(served: Served) -> None:
    """Refused if nobody could tell which words belong together."""
    model = served.card.model
    if not model.attends:
        raise Refused(
            400,
            f"Invalid request: align does not go with the model of {served.source} to "
            f"{served.target}: {model.kind} has no attention, so nothing tells which words belong "
            f"together",
        )


async def translate_html(
    served: Served,
    texts: Sequence[str],
    options: TranslationOptions = USUAL,
    *,
    again: bool = False,
) -> list[list[Translated]]:
    """The same of texts with tags, which stay."""
    length = sum(map(len, texts))
    pages = await aside(length, lambda: [read_markup(text) for text in texts])
    split = await aside(length, lambda: [(page.passages, page.hints) for page in pages])
    lines = [line for passages, _ in split for line in passages]
    hints = [hint for _, of_page in split for hint in of_page]
    done = iter(await _translate_passages(served, lines, hints, options, again=again))
    own = [[next(done) for _ in passages] for passages, _ in split]
    languages = Languages(served.source, served.target)
    ranked = partial(_ranked_page, languages)
    return await aside(length, lambda: list(map(ranked, pages, own)))


async def translate_document(
    served: Served, document: Translatable[bytes], place: Place, options: TranslationOptions = USUAL
) -> bytes:
    """A file, some passages at a time: of all that is known of them meanwhile only what the file
    needs is kept."""
    passages, hints = await place.do(lambda: (document.passages, document.hints))
    done: list[Translation] = []
    while len(done) < len(passages):
        some = slice(len(done), len(done) + PASSAGES)
        found = await _translate_passages(
            served, passages[some], hints[some], options, again=bool(done)
        )
        done += [replace(line, tokens=()) for line in found]
    languages = Languages(served.source, served.target)
    return await place.do(lambda: document.rendered(done, languages))


async def _translate_passages(
    served: Served,
    passages: Sequence[str],
    hints: Sequence[Hint],
    options: TranslationOptions,
    *,
    again: bool,
) -> list[Translation]:
    """One for each. Which word came from which is asked only where it matters: to tell it, what was
    found is written once more."""
    found: dict[int, Translation] = {}
    for align in (False, True):
        rows = [row for row, hint in enumerate(hints) if hint.is_mixed == align]
        lines = [passages[row] for row in rows]
        if lines:
            done = await translate_lines(
                served,
                lines,
                replace(options, align=align),
                kept=[hints[row].kept for row in rows],
                again=again or bool(found),
            )
            found.update(zip(rows, done, strict=True))
    return [found[row] for row in range(len(passages))]


def _of_rank(line: Translation, rank: int) -> Translation:
    return line.nbest[min(rank, len(line.nbest) - 1)] if line.nbest else line


def _ranked(
    sources: list[str], lines: list[Translation], gaps: list[str], nbest: int
) -> list[Translated]:
    """The n-th best of a text is made of the n-th best of its lines; none stands there twice."""
    found: dict[str, Translated] = {}
    for rank in range(nbest):
        text, links, place = gaps[0], [], len(gaps[0])
        of_rank = [_of_rank(line, rank) for line in lines]
        for source, line, behind in zip(sources, of_rank, gaps[1:], strict=True):
            links += [link.moved(place, len(text)) for link in line.links]
            text += line.text + behind
            place += len(source) + len(behind)
        found.setdefault(text, Translated(text, _mean_score(of_rank), tuple(links)))
    return list(found.values())


def _ranked_page(
    languages: Languages, page: Composed, lines: list[Translation]
) -> list[Translated]:
    """The n-th best of a page is made of the n-th best of its passages."""
    found: dict[str, Translated] = {}
    for rank in range(max([1, *(len(line.nbest) for line in lines)])):
        of_rank = [_of_rank(line, rank) for line in lines]
        text = page.rendered(of_rank, languages)
        found.setdefault(text, Translated(text, _mean_score(of_rank)))
    return list(found.values())


def _mean_score(lines: Sequence[Translation]) -> float:
    return sum([line.score for line in lines]) / max(1, len(lines))
