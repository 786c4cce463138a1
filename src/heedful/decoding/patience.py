"""How many hypotheses must finish before a search stops. Needs no torch."""

from __future__ import annotations

LONGEST = 100
"""Tokens of a sentence that count; longer ones are few."""


def usual_patience(vocabulary: int, longest: int) -> float:
    """The patience that suits a model with a target vocabulary of this size, which translates
    sentences of up to `longest` tokens.

    Label smoothing gives every token some probability, so from time to time the end mark is among
    the best candidates of a step long before the translation is complete. If the search stops as
    soon as `beam` hypotheses are finished, a few of these bad ends fill the beam, and the complete
    translation is never reached. Each place of the beam is lost to a bad end with a probability of
    about 10 / (vocabulary + 50) a step: a sixth for ten words (the marks count too), and ten times
    the share of an average token for a large vocabulary, because the end mark is a frequent one.
    The search must survive as many bad ends as a long sentence meets, and then needs `beam` good
    ones. With 8,000 tokens and more a beam of 4 needs no patience.
    """
    return 1 + 10 * min(longest, LONGEST) / (vocabulary + 50)
