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
    translation is never reached. So the search must outlast the bad ends that a long sentence
    meets, and then needs `beam` good ones.

    At each step a place of the beam is taken to be lost to a bad end with a probability of
    10 / (vocabulary + 30). Measured were 0.17 for two words and four marks, 0.05 for ten words,
    0.02 for 60, and 0.01 for 800 subwords, where the end mark is likelier than an average token.
    For large vocabularies this comes to nothing: most early ends are then those of translations
    that are short but complete, and patience only takes time.
    """
    return 1 + 10 * min(longest, LONGEST) / (vocabulary + 30)
