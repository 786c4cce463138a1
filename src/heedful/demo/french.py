"""A meaning said in French: agreement, elision, contraction."""

from __future__ import annotations

import re
from typing import Literal

from heedful.demo.meaning import Link, Meaning, Time
from heedful.demo.nouns import Gender, Noun

_DEGREES: dict[Link, str] = {"because": "trop", "even though": "très"}
_TIMES: dict[Time, str] = {
    "": "",
    "yesterday": "hier",
    "that morning": "ce matin-là",
    "that evening": "ce soir-là",
    "last Sunday": "dimanche dernier",
}
_CHOICE = re.compile(r"\[(.*?)\|(.*?)\]")
_VOWELS = "aâàeéèêiîoôuûhAÂEÉIOU"


def french(meaning: Meaning) -> str:
    """One French sentence: "L'animal n'a pas traversé la rue parce qu'il était trop fatigué."."""
    main = f"{definite(meaning.subject)} {_predicate(meaning)}"
    clause = _clause(meaning)
    time = _TIMES[meaning.time]
    if meaning.fronted:
        sentence = f"{clause}, {main}" + (f" {time}." if time else ".")
    else:
        sentence = (f"{time}, " if time else "") + f"{main} {clause}."
    return sentence[0].upper() + sentence[1:]


def pronoun(noun: Noun) -> Literal["il", "elle"]:
    """The subject pronoun of a noun."""
    return "il" if noun.gender == "m" else "elle"


def definite(noun: Noun) -> str:
    """The noun with its article: le chien, la rue, l'âne, le hérisson."""
    if noun.french[0] in _VOWELS and not noun.aspirated:
        return f"l'{noun.french}"
    return f"{'le' if noun.gender == 'm' else 'la'} {noun.french}"


def to(noun: Noun) -> str:
    """The definite noun after à: au chien, à la vache, à l'âne."""
    phrase = definite(noun)
    return f"au {noun.french}" if phrase.startswith("le ") else f"à {phrase}"


def inflect(phrase: str, gender: Gender) -> str:
    """Resolve every `[masculine|feminine]` of a phrase."""
    return _CHOICE.sub(r"\1" if gender == "m" else r"\2", phrase)


def _predicate(meaning: Meaning) -> str:
    verb = meaning.verb
    infinitive = verb.french if verb else ""
    preposition = verb.preposition if verb and meaning.action.subject == "mover" else ""
    phrase = meaning.action.french.format(
        verb=infinitive,
        of_verb=f"d'{infinitive}" if infinitive[:1] in _VOWELS else f"de {infinitive}",
        auxiliary=verb.auxiliary if verb else "",
        participle=verb.participle if verb else "",
        other=preposition + definite(meaning.other),
        to_other=to(meaning.other),
    )
    return inflect(phrase, meaning.subject.gender)


def _clause(meaning: Meaning) -> str:
    it = pronoun(meaning.referent)
    reason = meaning.reason.french.replace("~", _DEGREES[meaning.link])
    return f"{_conjunction(meaning, it)}{inflect(reason, meaning.referent.gender)}"


def _conjunction(meaning: Meaning, it: Literal["il", "elle"]) -> str:
    """The conjunction and the pronoun: que elides before both, si only before il."""
    if meaning.link == "even though":
        return f"même s'{it} " if it == "il" else f"même si {it} "
    return f"comme {it} " if meaning.fronted else f"parce qu'{it} "
