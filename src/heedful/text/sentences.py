"""Where a line may be cut: at the ends of sentences, else of clauses, else of words.

Every function here returns parts that make up the text exactly when joined again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise

# After one of these a full stop ends no sentence (better a cut too few than one inside a name).
_ALWAYS = """
    mr mrs ms dr prof rev gen sen gov sgt capt lt col st mt jr sr vs e.g i.e cf viz approx etc dept
    univ inc ltd corp u.s u.k a.m p.m z.b d.h u.a bzw usw ca vgl evtl ggf inkl zzgl bspw sog str hr
    mio mrd mme mmes mlle p.ex env éd sra srta ud uds dra dott avv
"""
# After one of these it ends none if a number follows: No. 5, but "She said no. He left."
_BEFORE_NUMBERS = """
    no nos fig figs eq eqs sec vol p pp ch nr abs art abb bd jan feb mar apr jun jul aug sep sept
    oct nov dec tel geb
"""
# What a full stop behind a number is depends on the language: "There were 3. A dog runs.", but "am
# 3. Mai", "der 3. Mann". No ordinal stands before one of these with a capital letter.
_OPENERS = """
    a an the this that these those there here he she it we you they i his her its our their my your
    and but or so then when while if as in on at for from by with after before however what who how
    der die das den dem des ein eine einen einem er sie es wir ihr ich man dies diese dieser dieses
    und aber oder doch dann danach wenn als im am auf für von mit nach vor sein seine was wer wie
    le la les un une il elle ils elles on nous vous je ce cette ces et mais puis dans pour avec el
    los las una ella ellos nosotros yo este esta y pero en con por para lo gli io noi questo questa
    ma nel per con o os as um uma ele ela eles eu nós de het een hij zij wij ik dit dat en maar
"""
OPENERS = frozenset(_OPENERS.split())
_FEWEST_DIGITS = 4  # of what is no ordinal: a year
ABBREVIATIONS = frozenset(_ALWAYS.split())
ABBREVIATIONS_BEFORE_NUMBERS = frozenset(_BEFORE_NUMBERS.split())

# A mark and its closing quotes. Most need white space (or the end) after them, which keeps 3.14,
# e-mails and URLs whole; those of scripts written without spaces do not. The look-behind and the
# possessive ++ keep the search linear on a line of a million dots.
_MARKS = ".!?…‽؟۔।॥។။։᙮⁇⁈⁉．"
_UNSPACED = "。！？｡"
SENTENCE_ENDS = _MARKS + _UNSPACED
_CLOSERS = "\"'”’»›)\\]}」』）】〉》〕］｝"
_END = re.compile(
    rf"(?:(?<![{_MARKS}])[{_MARKS}]++[{_CLOSERS}]*+(?=\s|$)|[{_UNSPACED}]+[{_CLOSERS}]*)\s*"
)
_CLAUSE_END = re.compile(
    rf"(?:(?<![,;:،؛–])[,;:،؛–]++[{_CLOSERS}]*+(?=\s)|[—，、；：､]+[{_CLOSERS}]*)\s*"
)
_SPACE = re.compile(r"\s+")
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘«„]*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?=[\s,'’]|$)")
_LONGEST_WORD = 20  # that is looked at: abbreviations are short
_LONGEST_CHARACTER = 32  # with its marks: more than any language has


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, each with the white space that follows it."""
    parts = []
    start = 0
    for match in _END.finditer(text):
        before = text[max(start, match.start() - _LONGEST_WORD) : match.start()]
        if match.end() < len(text) and _ends(
            before, match[0], text[match.end() : match.end() + _LONGEST_WORD]
        ):
            parts.append(text[start : match.end()])
            start = match.end()
    return [*parts, text[start:]] if start < len(text) else parts


def ends_sentence(text: str) -> bool:
    """Whether one ends where the text does."""
    return text.rstrip().rstrip(_CLOSERS).endswith(tuple(SENTENCE_ENDS))


def _ends(before: str, mark: str, following: str) -> bool:
    """Whether a sentence ends at this mark, judged by what stands before and after it."""
    if mark[0] in _UNSPACED:
        return True
    if following[0].islower():  # "Halt!" rief er; "Why?" he asked; well... yes
        return False
    if mark[0] != "." or mark.startswith(".."):
        return True
    word = _LAST_WORD.search(before)
    last = word[0].lower() if word else ""
    is_initial = len(last) == 1 and last.isalpha()
    is_ordinal = last.isdigit() and not _ends_in_number(before, last, following)
    is_numbered = last in ABBREVIATIONS_BEFORE_NUMBERS and following[0].isdigit()
    return not (is_initial or is_ordinal or is_numbered or last in ABBREVIATIONS)


def _ends_in_number(before: str, number: str, following: str) -> bool:
    """Whether it is no ordinal, and not that of an item of a list, which it begins."""
    if before.strip() == number:
        return False
    word = _FIRST_WORD.match(following)
    return len(number) >= _FEWEST_DIGITS or (word is not None and word[0].lower() in OPENERS)


def chunks(text: str, fits: Callable[[str], bool]) -> list[str]:
    """The text in parts that fit: each a sentence, or a piece of one that is too long itself.

    A single character is returned even if it does not fit: it cannot be cut further.
    """
    return [
        part
        for sentence in split_sentences(text)
        for part in _fitting(sentence, fits, (_CLAUSE_END, _SPACE))
    ]


def _fitting(
    text: str, fits: Callable[[str], bool], cuts: tuple[re.Pattern[str], ...]
) -> list[str]:
    if fits(text):
        return [text]
    if not cuts:
        return list(_packed(_characters(text), fits))
    units = _cut_after(text, cuts[0])
    return [part for run in _packed(units, fits) for part in _fitting(run, fits, cuts[1:])]


def _packed(units: list[str], fits: Callable[[str], bool]) -> Iterator[str]:
    """Joins as many units as fit; a unit that does not fit comes alone.

    Finds how many by doubling and halving, as `fits` may have to tokenise what it is given.
    """
    start = 0
    while start < len(units):
        low, step = 1, 1  # `low` units are taken, `low + step` are tried
        while step:
            end = start + low + step
            if end <= len(units) and fits("".join(units[start:end])):
                low, step = low + step, step * 2
            else:
                step //= 2
        yield "".join(units[start : start + low])
        start += low


def _cut_after(text: str, pattern: re.Pattern[str]) -> list[str]:
    ends = [match.end() for match in pattern.finditer(text)]
    bounds = [0, *(end for end in ends if end < len(text)), len(text)]
    return [text[a:b] for a, b in pairwise(bounds)]


def _characters(text: str) -> list[str]:
    """The characters, each with its combining marks and joiners (👩 + ZWJ + 👧 stay together)."""
    starts: list[int] = []
    for place, character in enumerate(text):
        joins = unicodedata.category(character)[0] == "M" or "\u200d" in text[place - 1 : place + 1]
        if not starts or not joins or place - starts[-1] == _LONGEST_CHARACTER:
            starts.append(place)
    return [text[a:b] for a, b in pairwise([*starts, len(text)])]
