"""How numbers get into a translation, and the signs that they have lost there."""

from __future__ import annotations

import pytest

from heedful.text.copied import copied
from heedful.text.links import Link, Span
from heedful.text.put_in import complete

from .linked import links_of


@pytest.mark.parametrize(
    ("score", "translation", "looks", "outcome"),
    [
        # The article looks at the number, a little: it stays, and the number counts the women.
        (0.4, "A man and women", (0, 1), "A man and 2 women"),
        # It looks at it firmly.
        (0.6, "A man and women", (0, 1), "2 man and women"),
        # Who stands before the women says how many they are.
        (0.4, "A man and some women", (10, 14), "A man and 2 women"),
    ],
)
def test_a_number_that_hardly_a_word_looks_at_stands_before_what_it_counts(
    score: float, translation: str, looks: Span, outcome: str
) -> None:
    women = translation.index("women"), len(translation)
    links = [Link((4, 8), (2, 5), 0.9), Link((13, 14), looks, score), Link((15, 21), women, 0.9)]
    assert complete(copied("Ein Mann und 2 Frauen"), translation, links)[0] == outcome


@pytest.mark.parametrize(
    ("source", "translation", "pairs", "outcome"),
    [
        ("Get 20% more", "Nimm mehr", "00 21", "Nimm 20% mehr"),
        ("Get 20% more", "Nimm viel mehr", "00 11 22", "Nimm 20% mehr"),
        ("Pay €10 now", "Zahl viel jetzt", "00 11 22", "Zahl €10 jetzt"),
        ("Pay ($5).", "Zahl (viel).", "00 11", "Zahl ($5)."),
        ("Pay 10€ now", "Zahl jetzt", "00 21", "Zahl 10€ jetzt"),
        ("Now #5 runs", "Jetzt rennt", "00 21", "Jetzt #5 rennt"),
        ("At 20°C now", "Bei jetzt", "00 21", "Bei 20°C jetzt"),
        ("At 5‰ now", "Bei viel jetzt", "00 11 22", "Bei 5‰ jetzt"),
        # It is there, before or behind, or a word for it is.
        ("Get 20% more", "Nimm 30% mehr", "00 11 22", "Nimm 20% mehr"),
        ("Get 20% more", "Nimm 30 % mehr", "00 11 23", "Nimm 20 % mehr"),
        ("Pay €10 now", "Zahl 30 € jetzt", "00 11 23", "Zahl 10 € jetzt"),
        ("Get 20% more", "Nimm zehn Prozent mehr", "00 11 12 23", "Nimm 20 Prozent mehr"),
        ("Get 20% more", "Nimm 20 Prozent mehr", "00 11 12 23", "Nimm 20 Prozent mehr"),
        # It stands there without: a word that comes from both may say it.
        ("4% of men", "4 Männer", "00 21", "4% Männer"),
        ("Now 4% more", "Jetzt 4 százalék több", "00 11 12 23", "Jetzt 4 százalék több"),
        ("Now $4 more", "Jetzt 4 Dollar mehr", "00 11 22 23", "Jetzt 4 Dollar mehr"),
        ("Now $10,000 more", "Jetzt 10.000 mehr", "00 11 22", "Jetzt $10.000 mehr"),
        ("Now 50% more", "Jetzt 50er mehr", "00 11 22", "Jetzt 50% mehr"),
        ("Now 50% more", "Jetzt 50 5 mehr", "00 11 12 23", "Jetzt 50% 5 mehr"),
        ("Get 20 % more", "Nimm 30 mehr", "00 11 22", "Nimm 20 % mehr"),
        ("At 5 °C now", "Bei viel jetzt", "00 11 32", "Bei 5 °C jetzt"),
        ("Pay 5$ now", "Zahl viel jetzt", "00 11 22", "Zahl 5$ jetzt"),
        ("Pay {n}€ now", "Zahl viel jetzt", "00 11 22", "Zahl {n}€ jetzt"),
        ("Pay ~5 now", "Zahl etwa 7 jetzt", "00 11 12 23", "Zahl etwa 5 jetzt"),
        ("Pay ≤5 now", "Zahl 7 jetzt", "00 11 22", "Zahl ≤5 jetzt"),
        # What is no sign: a placeholder, the end of a tag.
        ("Get 5 %s more", "Nimm %s 5 mehr", "00 12 21 33", "Nimm %s 5 mehr"),
        ('Get <a x="y">5 more</a>', "Nimm 5 mehr", "00 21 32", 'Nimm <a x="y">5 mehr</a>'),
        ("Pay US$5 now", "Zahl viel jetzt", "00 11 22", "Zahl viel $5 jetzt"),
        # A word that only looks at it is none for it.
        ("Get 20% more", "Nimm zehn und mehr", "00 11 12 23", "Nimm 20% und mehr"),
        ("Pay $5 now", "Zahl 7 Dollars jetzt", "00 11 12 23", "Zahl 5 Dollars jetzt"),
        ("Take #5 now", "Nimm Nummer 7 jetzt", "00 11 12 23", "Nimm Nummer 5 jetzt"),
        # It takes the place of an ending, and is not taken from a word.
        ("Get 20% more", "Nimm 30er mehr", "00 11 22", "Nimm 20% mehr"),
        ("Get 20%% more", "Nimm mehr", "00 21", "Nimm 20 %% mehr"),
        ("Get 20 more", "Nimm mehr", "00 21", "Nimm 20 mehr"),
    ],
)
def test_a_number_that_is_put_in_has_its_sign(
    source: str, translation: str, pairs: str, outcome: str
) -> None:
    known = links_of(source, translation, pairs)
    links = [Link(link.source, link.target, 0.7) for link in known]
    text, moved = complete(copied(source), translation, links)
    assert text == outcome
    assert all(text[slice(*link.target)].strip() for link in moved)


@pytest.mark.parametrize(
    ("source", "translation", "pairs", "outcome"),
    [
        ("Gone on 2014-08-14", "Auf linken20", "00 10 21", "Auf linken 2014-08-14"),
        ("At 15:29 dogs run", "Ein 12er Hund rennt", "00 11 22 33", "Ein 15:29 Hund rennt"),
        ("At 13:10 dogs run", "Ein 10erhund rennt", "00 11 21 32", "Ein 13:10 erhund rennt"),
        ("Bus 38798 stops", "Bus 387988888 88 88 hält", "00 11 12 13 24", "Bus 38798 hält"),
        ("The 20 dogs", "Die 30er Hunde", "00 11 22", "Die 20 Hunde"),
        ("There are 4358 men", "Da sind 43farbene", "00 11 22 32", "Da sind 4358 farbene"),
        ("It opens at 20:19", "Auf um 10er9", "00 11 32", "Auf um 20:19"),
        ("It runs 40.70 miles", "Es läuft 40er0er0", "00 11 22", "Es läuft 40.70"),
        # What a number may have: a unit, a particle of a script that writes it on.
        ("It runs 5.5km now", "Es rennt 8km jetzt", "00 11 22 33", "Es rennt 5.5km jetzt"),
        ("It runs 5.5 km now", "Es rennt 8km jetzt", "00 11 22 32 43", "Es rennt 5.5km jetzt"),
        ("At 15:29 now", "12시에 지금", "00 10 21", "15:29시에 지금"),
        # It may be one number or two, and be written as either.
        ("See 12 500 dogs", "Sieh Hunde", "00 31", "Sieh 12 500 Hunde"),
        ("See 12 500 dogs", "Sieh 12.500 Hunde", "00 11 32", "Sieh 12.500 Hunde"),
        ("Bus 12 500 wait", "Bus 12 für 500 warten", "00 11 22 23 34", "Bus 12 für 500 warten"),
        ("Run 10–20 miles", "Lauf 10 bis 20 Meilen", "00 11 12 13 24", "Lauf 10 bis 20 Meilen"),
        ("Run 10–20 miles", "Lauf viele Meilen", "00 11 22", "Lauf 10–20 Meilen"),
        ("10–20 or 10–20", "10 bis 20 oder 10 bis 20", "00 01 02 13 24 25 26",
         "10 bis 20 oder 10 bis 20"),
        # What is another number's stays.
        ("Take 12 or 77", "Nimm 5 77", "00 11 32", "Nimm 12 77"),
        # What else comes from it goes, wherever it stands; what comes from other words does not.
        ("At 16:46 two run", "Um 66 64er und\u00a044 laufen 2 99", "00 11 12 23 14 35 26 37",
         "Um 16:46 und laufen 2 99"),
        ("Gone on 2014-08-14", "Auf linken00er 20 20er0 4", "00 10 21 22 23 24",
         "Auf linken 2014-08-14"),
        ("Off on 2014-08-14", "Auf 20 80erzeugen", "00 21 12", "Auf 2014-08-14 erzeugen"),
        ("See a.org/5/a 7", "Sieh 55 und 5 7", "00 11 02 13 24", "Sieh a.org/5/a und 7"),
        ("Of 97% of us", "9 9 von 99s 9 uns", "00 01 22 13 34 35", "9 9 von 97% uns"),
        ("Of 97% of us", "9 99 9s von uns 9", "00 11 32 23 34 35", "97% von uns 9"),
        # Nothing stays as it is.
        ("a 3-2 win", "ein 3:2 Sieg", "00 11 22", "ein 3:2 Sieg"),
    ],
)  # fmt: skip
def test_a_number_stands_by_itself(source: str, translation: str, pairs: str, outcome: str) -> None:
    known = links_of(source, translation, pairs)
    links = [Link(link.source, link.target, 0.7) for link in known]
    assert complete(copied(source), translation, links)[0] == outcome


def test_what_surely_comes_from_another_word_stays() -> None:
    source, translation = "In 2014 two dogs", "2041 2 Hunde"
    links = links_of(source, translation, "10 21 32")
    assert complete(copied(source), translation, links)[0] == "2014 2 Hunde"
