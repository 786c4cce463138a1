"""Which tags do what, in a kind of document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from heedful.documents.labels import first_of
from heedful.documents.tags import Token, has_id, stays

INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "data", "del", "dfn", "em", "font",
    "i", "ins", "label", "mark", "nobr", "output", "q", "ruby", "s", "slot", "small", "span",
    "strike", "strong", "sub", "sup", "time", "u",
})  # fmt: skip
WORDS = frozenset(["code", "kbd", "samp", "var", "tt", "math"])
INSIDE = WORDS | {"wbr", "img", "input", "svg", "rt", "rp"}
UNTOUCHED = frozenset(["script", "style", "pre", "textarea", "template"])
VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
})  # fmt: skip


@dataclass(frozen=True)
class Rules:
    """All tags that are not named here part one passage from the next."""

    inline: frozenset[str] = INLINE
    """Hold some words of a sentence."""
    raised: frozenset[str] = frozenset({"sup"})
    """Those of them that stay where they are if there is no letter in them, as signs of notes."""
    links: frozenset[str] = frozenset({"a"})
    """Those of them that may not become two."""
    inside: frozenset[str] = INSIDE
    """Stay in a sentence, with all that is in them."""
    words: frozenset[str] = WORDS
    """Those of them that read as words."""
    untouched: frozenset[str] = UNTOUCHED
    """Stay as they are, between sentences."""
    void: frozenset[str] = VOID
    """Have no end."""
    spaces: frozenset[str] = frozenset()
    """Those inside a sentence that part two words."""
    texts: tuple[str, ...] = ("alt", "title", "placeholder")
    """Attributes that are text."""
    languages: Mapping[str, Callable[[str], str]] = field(
        default_factory=lambda: {"lang": str, "xml:lang": str}
    )
    """Attributes that say the language of what is in an element, and how each writes one."""
    code: Callable[[Mapping[str, str]], str] = first_of
    """Which language it is that they say, in their order."""
    paragraphs: frozenset[str] | None = None
    """If given, only what stands in one of these is text. Inside them nothing parts passages but
    `breaks`: all else stays in its sentence, and paragraphs inside it are passages too."""
    breaks: frozenset[str] = frozenset()
    namespaces: Mapping[str, str] = field(default_factory=dict)
    """And the prefixes that they have here; in a file they may have others."""
    is_xml: bool = False
    """Whether CDATA is text, and names of characters may be the file's own."""
    is_strict: bool = False
    """Whether every element has to be ended, as programs that read such files demand."""

    def is_text(self, token: Token) -> bool:
        """Whether people read it."""
        return token.kind == "text" or (token.kind == "cdata" and self.is_xml)

    def is_inline(self, token: Token) -> bool:
        """Whether it holds words of a sentence; so do elements that a page has made for itself."""
        return token.name in self.inline or (not self.is_xml and "-" in token.name)

    def is_single(self, token: Token) -> bool:
        """Whether an inline element may not be there twice."""
        return token.name in self.links or has_id(token)

    def is_copied(self, token: Token) -> bool:
        """Whether an element stays as it is, with all that is in it."""
        is_whole = token.name in self.inside or token.name in self.untouched or stays(token)
        return token.kind == "start" and token.name not in self.void and is_whole

    def is_word(self, token: Token) -> bool:
        """Whether what stays as it is reads as a word."""
        return token.name in self.words or stays(token)

    def is_mark(self, token: Token) -> bool:
        """Whether what stays as it is stays in a sentence, too."""
        if token.name in self.inside or not token.name:
            return True
        return self.is_inline(token) and token.kind in ("empty", "start")


HTML = Rules()
