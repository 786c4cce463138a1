"""What a translation has as its source has it: placeholders of programs, addresses, tags, numbers.

Better too little than the wrong part: what is not understood whole is left to the model. So are
ordinals (3rd is 3. in German), thousands in a letter (5k), times of half a day (3 pm), scores (3-2)
and digits of other scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heedful.text.numbers import (
    DIGITS,
    HALF_DAY,
    MOMENT,
    MULTIPLE,
    ORDINAL,
    RANGE,
    SCIENTIFIC,
    SIGN,
    UNCLEAR,
    score_end,
)
from heedful.text.scripts import SPACELESS, STANDS_ALONE
from heedful.text.wanted import Joint, Wanted

_BEGINS = rf"(?<![{STANDS_ALONE}_.,])(?<![0-9][:/])"
_INSIDE = r"(?! (?:[ ]++\w++ | \w++[ ]++\w++) [ ]++\w ) [^{}\n]{0,60}"  # but not { set of x }
_VALUE = r"""\s?=\s? (?: "[^"<>\n]{0,200}+" | '[^'<>\n]{0,200}+' | [^\s"'<>=]{1,200}+ )"""
_BARE = "hidden|disabled|checked|selected|required|readonly|multiple|controls|open|async|defer"
_TAG = rf"""
    </?[0-9]{{1,3}}/?> | </?[A-Za-z][A-Za-z0-9:-]{{0,30}}+ (?> (?: \s++ (?: (?:{_BARE})(?=[\s/>])
      | [A-Za-z_:@][\w:.-]{{0,60}}+ {_VALUE} ) ){{0,20}} ) \s?/?>  # <b>, </b>, <br/>, <a href="x">
"""
_WHOLE = rf"""
    \{{\{{\s?(?:[^\s{{}}]{{1,40}}(?:[ ][^\s{{}}]{{1,40}}){{0,3}}\s?)?\}}\}}     # {{{{ a name }}}}
  | [$#]?\{{(?:{_INSIDE})\}}                                     # {{0:.2f}}, ${{x}}
  | <%[^%\n]{{1,80}}%> | (?<!\w)__[A-Z0-9]+(?:_[A-Z0-9]+)*__(?!\w)  # <%= x %>, __NAME__
  | (?<![\w`])`(?=\S)[^`\n]{{1,80}}(?<=\S)`(?![\w`])           # `code`
  | (?<![\w@.])@[A-Za-z_]\w{{1,40}}(?![\w@]) | (?<![\w\#&])\#[A-Za-z_]\w{{1,60}}  # @user, \#topic
  | (?<!\w)[A-Za-z]:\\[\w.+-]{{2,}}(?:\\[\w.+-]+)*              # C:\dogs\x.txt
  | (?<![\w+])\+(?![0-9]{{1,3}}(?:[ ][0-9]{{3}})+(?![ ]?[0-9]))(?=[0-9 ()-]{{9}})
    [0-9]{{1,3}}(?:[ \u00a0-]?\(?[0-9]{{2,}}\)?){{2,5}}(?!\w)         # +49 30 1234567
  | \$\([A-Za-z_]\w*\) | (?<![\w$])\$[A-Za-z_]\w*              # $(name), $name
  | %% | %[A-Z][A-Z0-9_]+% | %\([A-Za-z_]\w*\)[-+#0]*[0-9.*]*[A-Za-z]  # %HOME%, %(name)s
  | (?<![0-9])% (?:[0-9]+\$)? [-+#0]* (?:[0-9]+|\*)? (?:\.(?:[0-9]+|\*))?  # %1$s, %-5d, %5.2f
    (?: (?:hh|ll|[hlLqjzt])?[A-Za-z@](?!\w)                    # %s, %ld, %@, %Y
      | [dfs](?=[A-Za-z]{{1,2}}(?![A-Za-z])) )                   # %dpx, %dx%d
  | (?<![\w.+-])[\w.+-]{{1,64}}+@[\w-]{{1,64}}(?:\.[\w-]{{1,64}})+   # somebody@example.org
  | {_TAG}
  | &(?:[A-Za-z]{{2,10}}|\#[0-9]{{1,7}}|\#x[0-9A-Fa-f]{{1,6}});      # &amp;, &#39;
  | {_BEGINS}{SIGN} (?: {SCIENTIFIC} | {MOMENT} )              # 1.5e-3
"""
_ON = rf"""[^\s<>"'{SPACELESS}\u3000-\u303f\uac00-\ud7af\uff00-\uffef]"""
_HOST = rf"(?>(?:[{STANDS_ALONE}-]{{1,63}}+\.(?=[{STANDS_ALONE}]))+)"
_NUMBERED = r"(?:[0-9]{1,3}+\.){3}[0-9]{1,3}+"
_KNOWN = "com|org|net|edu|gov|info|dev|app|io|eu|uk|de|fr|nl|ch|pl|cz|ru|jp|cn|br"
"""Ends of addresses that need nothing else to be known as such, behind a name of three letters or
more (M.de Villiers is somebody), or behind that and `co`."""
_NAMED = rf"(?: (?<=[{STANDS_ALONE}-]{{3}}\.) | (?<=[{STANDS_ALONE}-]\.co\.) )"
_PORT = r"(?> (?: :[0-9]{1,5}+ )? )"
_ADDRESS = rf"""
    (?<![\w+.-])(?: [A-Za-z][A-Za-z0-9+.-]{{0,30}}+:// | www\. | mailto: | tel: | doi: )
    (?=[\w\[+~/]) {_ON}+
  | (?<![\w.@/-])(?: {_HOST}[a-z]{{2,24}}+ | {_NUMBERED} | localhost ){_PORT}
    /(?=\w){_ON}+                                             # example.org/5, 127.0.0.1:80/x
  | (?<![\w.@/-])(?: {_HOST}{_NAMED}(?:{_KNOWN}) | localhost(?=:[0-9]) ){_PORT}
    (?![{STANDS_ALONE}_@-]|\.\w) (?: [?\#](?=\w){_ON}+ )?      # example.org, example.org?x=1
  | (?<![\w/.~<])(?:~|\.\.?)?(?>(?:/[\w.+-]++){{2,}})/?         # /usr/lib, ~/x/y
"""
_LETTERS = rf"(?>(?:(?![0-9])[{STANDS_ALONE}_])+)"
_CODE = r"[A-Z]{1,6}+ (?> (?:-[0-9]++)+ )"
_NAME = rf"""
    (?<![{STANDS_ALONE}_./:\\@=])
    (?: {_CODE} | (?:[0-9]++)?{_LETTERS}[0-9] ) [{STANDS_ALONE}_]*+    # F-16, B2B, 2x4
    (?> (?: [./:\\@=] (?: {_CODE}[{STANDS_ALONE}_]*+ | [{STANDS_ALONE}_]++ ) )* )  # Python3.11
"""
_COPIED = re.compile(
    rf"""
    (?P<whole>{_WHOLE}) | (?P<address>{_ADDRESS}) | (?P<name>{_NAME})
  | (?P<left> {_BEGINS}{SIGN} (?: {HALF_DAY} | (?:{UNCLEAR}|{DIGITS}) (?:{ORDINAL}|{MULTIPLE}) ) )
  | (?P<number> {_BEGINS} (?: {RANGE} | {SIGN} (?: {UNCLEAR} | (?:(?<!\w)\.)? {DIGITS} ) ) )
    """,
    re.VERBOSE,
)
TAG_SHAPE = re.compile(_TAG, re.VERBOSE)
_SIGNS = re.compile(rf"[0-9{{%$<&@/:\#`\\]|__|www\.|\.(?:{_KNOWN})(?!\w)")
"""Where there is none of these, nothing is copied: most sentences are done with after a glance."""
_MESSAGE = re.compile(r"\{\s?\w++\s?,\s?(?:plural|select|selectordinal)\s?,")
_BRACE = re.compile(r"[{}]")
_LETTER = re.compile(r"[^\W\d_]")
_SHORT = 4000  # characters that are looked at in one go
_STRETCH = re.compile(rf".{{1,{_SHORT}}}\S{{0,60000}}", re.DOTALL)
_ITEM = re.compile(r"\s*[0-9]++(?=\.\s)")  # of a list: no ordinal
_JOINED_BEHIND = re.compile(r"['’]?s(?!\w) | -[^\W\d]", re.VERBOSE)  # the 90s, 5-year-old
_JOINED_BEFORE = re.compile(r"[^\W\d]-$")  # catch-22


def copied(text: str) -> list[Wanted]:
    """What a translation has as its source has it, as often as it stands there."""
    if not _SIGNS.search(text):
        return []
    found = []
    item = _ITEM.match(text)
    text = _without_messages(text)
    done = 0
    for match in _COPIED.finditer(text):
        start, end = match.span()
        done = max(done, score_end(text, start))
        if start < done:
            continue
        joint = Joint.NONE
        match match.lastgroup:
            case "left":
                if item is None or start > item.end():
                    continue
                end = item.end()
            case "address":
                end = _without_marks(text, start, end)
            case "name" | "number" as group:
                joint = _joint(text, start, end, is_number=group == "number")
        found.append(Wanted.of(text[start:end], text, (start, end), joint))
    return found


def _without_messages(text: str) -> str:
    """Blank where braces hold forms of a text: {n, plural, one {# dog} other {# dogs}}."""
    if not _MESSAGE.search(text):
        return text
    depth, start, kept, at = 0, 0, "", 0
    for brace in _BRACE.finditer(text):
        if brace[0] == "}":
            depth = max(0, depth - 1)
            if depth == 0 and _MESSAGE.match(text, start):
                kept += text[at:start] + " " * (brace.end() - start)
                at = brace.end()
        else:
            start = brace.start() if depth == 0 else start
            depth += 1
    return kept + text[at:]


def stretches(text: str) -> Iterator[str]:
    """Of a text that is looked at bit by bit: a search that finds nothing holds up all of Python.
    No address is cut; a tag may be, and then has words."""
    return (match[0] for match in _STRETCH.finditer(text))


def has_words(text: str) -> bool:
    """Whether there is anything to translate: a letter that is not copied."""
    return any(map(_has_words, stretches(text))) if len(text) > _SHORT else _has_words(text)


def _has_words(text: str) -> bool:
    if not _SIGNS.search(text):
        return _LETTER.search(text) is not None
    end = 0
    for want in copied(text):
        if _LETTER.search(text, end, want.source[0]):
            return True
        end = max(end, want.source[1])
    return _LETTER.search(text, end) is not None


def _joint(text: str, start: int, end: int, *, is_number: bool) -> Joint:
    if _JOINED_BEHIND.match(text, end) or _JOINED_BEFORE.search(text[max(0, start - 2) : start]):
        return Joint.WORD
    return Joint.UNIT if is_number and text[end : end + 1].isalpha() else Joint.NONE


def _without_marks(text: str, start: int, end: int) -> int:
    """The end of an address without the marks of the sentence around it. Brackets that it opens
    itself it also closes."""
    closing = text.count(")", start, end) - text.count("(", start, end)
    while end > start + 1:
        last = text[end - 1]
        if last == ")" and closing > 0:
            closing -= 1
        elif last not in ".,;:!?]}»”’*":
            break
        end -= 1
    return end
