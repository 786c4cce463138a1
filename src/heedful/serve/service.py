"""Texts -> translated texts: what every way to ask the server comes down to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

from heedful.documents.formats import Document
from heedful.documents.labels import Languages
from heedful.documents.markup import read_markup
from heedful.documents.passage import Composed
from heedful.engines.engine import Task
from heedful.planning import Plan, Translation
from heedful.serve.desk import Place
from heedful.serve.lanes import Answers
from heedful.serve.models import Served
from heedful.serve.refused import Refused
from heedful.serve.snapshot import Snapshot
from heedful.text.copied import has_words
from heedful.text.links import Link
from heedful.text.paragraphs import split_paragraphs
from heedful.text.parts import gap

AT_ONCE = 4000  # characters: to cut more into tokens takes so long that others would notice
LONG = ThreadPoolExecutor(2, thread_name_prefix="long")
"""For what takes longer: more threads at a time would take Python from each other, and from all who
want a short answer meanwhile."""
PASSAGES = 500  # of a file that are translated at a time
USUAL = {"copy": True}  # numbers, addresses, tags and placeholders stay as they are
Stream = Callable[[Snapshot, Task], AsyncIterator[Any]]
"""What the worker finds, as it finds it."""
T = TypeVar("T")


@dataclass(frozen=True)
class Translated:
    """A whole text, with all its paragraphs."""

    text: str
    score: float
    links: tuple[Link, ...] = ()


async def translate_texts(
    served: Served, texts: Sequence[str], *, nbest: int = 1, **options: Any
) -> list[list[Translated]]:
    """Of each text its translation, then others, best first. Its paragraphs stay apart as they
    were, with the marks that they begin with; a prefix is that of its first."""
    if options.get("align"):
        _check_attends(served)
    split = [split_paragraphs(text) for text in texts]
    lines = [line for of_text, _ in split for line in of_text]
    if prefix := options.pop("prefix", ""):
        options["prefix"] = [one for of_text in split for one in _prefixes(prefix, *of_text)]
    done = iter(await translate_lines(served, lines, nbest=nbest, **options))
    return [_ranked(of_text, [next(done) for _ in of_text], gaps, nbest) for of_text, gaps in split]


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


def _prefixes(prefix: str, lines: Sequence[str], gaps: Sequence[str]) -> list[str]:
    """Of each line. A mark that the first begins with is written anyway."""
    return [prefix.removeprefix(gaps[0].lstrip()), *[""] * len(lines)][: len(lines)]


async def translate_html(
    served: Served, texts: Sequence[str], *, nbest: int = 1, **options: Any
) -> list[list[Translated]]:
    """The same of texts with tags, which stay."""
    length = sum(map(len, texts))
    pages = await _in_time(length, lambda: [read_markup(text) for text in texts])
    split = await _in_time(length, lambda: [(page.passages, page.mixed) for page in pages])
    lines = [line for passages, _ in split for line in passages]
    mixed = [is_mixed for _, of_page in split for is_mixed in of_page]
    done = iter(await _translate_passages(served, lines, mixed, nbest=nbest, **options))
    own = [[next(done) for _ in passages] for passages, _ in split]
    languages = Languages(served.source, served.target)
    ranked = partial(_ranked_page, languages)
    return await _in_time(length, lambda: list(map(ranked, pages, own)))


async def translate_document(
    served: Served, document: Document, place: Place, **options: Any
) -> bytes:
    """A file, some passages at a time: of all that is known of them meanwhile only what the file
    needs is kept."""
    passages, mixed = await place.do(lambda: (document.passages, document.mixed))
    done: list[Translation] = []
    while len(done) < len(passages):
        some = slice(len(done), len(done) + PASSAGES)
        found = await _translate_passages(served, passages[some], mixed[some], **options)
        done += [replace(line, tokens=()) for line in found]
    languages = Languages(served.source, served.target)
    return await place.do(lambda: document.rendered(done, languages))


async def _translate_passages(
    served: Served, passages: Sequence[str], mixed: Sequence[bool], **options: Any
) -> list[Translation]:
    """One for each. Which word came from which is asked only where it matters: to tell it, what was
    found is written once more."""
    found: dict[int, Translation] = {}
    for align in (False, True):
        rows = [row for row, is_mixed in enumerate(mixed) if is_mixed == align]
        lines = [passages[row] for row in rows]
        if lines:
            done = await translate_lines(served, lines, align=align, **options)
            found.update(zip(rows, done, strict=True))
    return [found[row] for row in range(len(passages))]


async def translate_lines(
    served: Served, lines: Sequence[str], *, nbest: int = 1, **options: Any
) -> list[Translation]:
    """One for each line. A number, an address, a mark alone is its own translation: a model would
    make a sentence of it."""
    if "prefix" in options or all(map(has_words, lines)):
        return await _translate_words(served, lines, nbest=nbest, **options)
    rows = [row for row, line in enumerate(lines) if has_words(line)]
    worded = [lines[row] for row in rows]
    done = dict(
        zip(rows, await _translate_words(served, worded, nbest=nbest, **options), strict=True)
    )
    return [done.get(row) or Translation(line, 0.0, ()) for row, line in enumerate(lines)]


async def _translate_words(
    served: Served, lines: Sequence[str], *, nbest: int, **options: Any
) -> list[Translation]:
    """The first of each is the one that is found if no others are asked for."""
    length = sum(map(len, lines))
    plan, found = await _found(served, lines, nbest=nbest, **options)
    done = await _in_time(length, lambda: served.planner.finish(plan, found))
    if nbest == 1:
        return done
    alone = replace(plan, nbest=1)
    if nbest > options.get("beam", served.planner.card.decoding.beam):  # the search was a wider one
        alone, found = await _found(served, lines, nbest=1, **options)
    first = await _in_time(length, lambda: served.planner.finish(alone, found))
    return [
        _with_others(one, several.nbest, nbest) for one, several in zip(first, done, strict=True)
    ]


async def _found(served: Served, lines: Sequence[str], **options: Any) -> tuple[Plan, Answers]:
    """What was asked of the engine, and all that it answers."""
    length = sum(map(len, lines))
    plan = await _in_time(length, lambda: _plan(served, lines, **options))
    found = await served.search(plan.task) if plan.parts else []
    look = await _in_time(length, lambda: served.planner.second_look(plan, found))
    if look:
        more = await served.search(look.task, again=True)
        found = await _in_time(length, partial(look.put_in, found, more))
    return plan, found


def _with_others(first: Translation, found: Sequence[Translation], nbest: int) -> Translation:
    """Those that read otherwise."""
    others = [one for one in found if one.text != first.text]
    return replace(first, nbest=(first, *others)[:nbest])


def _plan(served: Served, lines: Sequence[str], **options: Any) -> Plan:
    return served.planner.plan(lines, **USUAL | options)


async def _in_time(length: int, work: Callable[[], T]) -> T:
    """What is long is done in a thread."""
    if length <= AT_ONCE:
        return work()
    return await asyncio.get_running_loop().run_in_executor(LONG, work)


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
    return sum(line.score for line in lines) / max(1, len(lines))


async def stream_text(
    served: Served, stream: Stream, text: str, **options: Any
) -> AsyncIterator[str]:
    """The translation of a text, piece by piece: what has come can no longer change."""
    lines, gaps = split_paragraphs(text)
    if prefix := options.pop("prefix", ""):
        options["prefix"] = _prefixes(prefix, lines, gaps)
    how = options | {"copy": False}  # what is sent cannot be mended
    plan = await _in_time(len(text), lambda: _plan(served, lines, **how))
    rows = {
        line: list(of_line)
        for line, of_line in groupby(enumerate(plan.parts), key=lambda row: row[1].line)
    }
    yield gaps[0]
    for number, (line, behind) in enumerate(zip(lines, gaps[1:], strict=True)):
        written = ""
        if not prefix and not has_words(line):
            yield line + behind
            continue
        for row, part in rows.get(number, ()):
            is_first = True
            async for more in _stream_part(served, stream, plan.task, row):
                between = gap(written, part.before, more) if is_first else ""
                yield between + more
                written, is_first = written + between + more, False
        yield behind


async def _stream_part(served: Served, stream: Stream, task: Task, row: int) -> AsyncIterator[str]:
    """One sentence."""
    one = replace(
        task,
        sources=[task.sources[row]],
        limits=[task.limits[row]],
        prefixes=[task.prefixes[row]],
    )
    tokenizer = served.planner.target_tokenizer
    ids: list[int] = []
    text = told = ""
    async for found in stream(served.snapshot, one):
        if found and isinstance(found[0], list):  # all of it, at last
            ids, waiting = list(found[0][0].tokens), 0
        else:
            ids, waiting = ids + found, int(tokenizer.jamo)  # letters to come may join the last
        text = tokenizer.decode(ids).rstrip("\ufffd")  # half a character waits for the rest
        text = text[: len(text) - waiting]
        if len(text) > len(told) and text.startswith(told):
            yield text[len(told) :]
            told = text
    if text != told:
        raise RuntimeError("a translation that is not what was sent of it")
