"""Where a term meets the words around it."""

from __future__ import annotations

import pytest

from heedful.text.seams import without_doubles


@pytest.mark.parametrize(
    ("term", "text", "outcome"),
    [
        ("le cabot", "Le [chien] dort", "Le cabot dort"),
        ("le cabot", "Vu: le  [chien] dort", "Vu: le cabot dort"),
        ("le cabot", "[Le chien] dort", "Le cabot dort"),
        ("le cabot", "[Les chiens] dorment", "le cabot dorment"),
        ("Der Spiegel", "Er liest der [Spiegel]", "Er liest Der Spiegel"),
        ("la maison de la mer", "vers la maison [bleue] de la mer", "vers la maison de la mer"),
        ("Haus der", "Das [Gebäude] der Kunst", "Das Haus der Kunst"),
        # A capital letter is that of a word of several; a name has its own.
        ("iPhone", "Das [IPhone] klingelt", "Das iPhone klingelt"),
        ("mutt", "Der [MUTT] bellt", "Der mutt bellt"),
        ("eBay Konto", "[Ebay Seite] geht", "eBay Konto geht"),
        # Nothing makes room.
        ("le cabot", "Vu le []", "Vu le cabot "),
        ("le cabot", "Vu le []chien", "Vu le cabot chien"),
        ("le cabot", "[]Le chien", "le cabotLe chien"),
        # It is another word, or not beside it, or all that the term is.
        ("le cabot", "Elle [chien]", "Elle le cabot"),
        ("le cabot", "Le, [chien]", "Le, le cabot"),
        ("cabot", "cabot [chien]", "cabot cabot"),
        ("1\u00a0000", "1 [000]", "1 1\u00a0000"),
    ],
)
def test_what_both_have_is_written_once(term: str, text: str, outcome: str) -> None:
    place = text.index("["), text.index("]") - 1
    text = text.replace("[", "").replace("]", "")
    written, (start, end) = without_doubles(term, text, place)
    assert text[:start] + written + text[end:] == outcome
