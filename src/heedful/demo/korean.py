"""A meaning said in Korean: no pronoun; the noun itself returns, and the verb goes last.

The second mention of the referent takes 그 (that), as written Korean does. A cause after the main
clause becomes a sentence of its own (... 때문이다); every other clause comes first.
"""

from __future__ import annotations

from heedful.demo.meaning import Link, Meaning, Time
from heedful.demo.nouns import Noun
from heedful.demo.verbs import Case

_DEGREES: dict[Link, str] = {"because": "너무", "even though": "매우"}
_TIMES: dict[Time, str] = {
    "": "",
    "yesterday": "어제",
    "that morning": "그날 아침",
    "that evening": "그날 저녁",
    "last Sunday": "지난 일요일에",
}
_AFTER_VOWEL = {"은": "는", "이": "가", "을": "를"}
_FIRST_SYLLABLE = ord("가")
_FINALS = 28  # Unicode orders syllables by their final consonant last: 28 of them, 0 is none


def korean(meaning: Meaning) -> str:
    """One Korean text: "동물은 길을 건너지 않았다. 그 동물이 너무 피곤했기 때문이다."."""
    reason = meaning.reason.korean.replace("~", _DEGREES[meaning.link])
    it = with_particle(meaning.referent.korean, "이")
    if meaning.link == "because" and not meaning.fronted:
        return f"{_main(meaning, known=None)}. 그 {it} {reason}기 때문이다."
    ending = "기 때문에" if meaning.link == "because" else "는데도"
    return f"{it} {reason}{ending} {_main(meaning, known=meaning.referent)}."


def has_final(word: str) -> bool:
    """Whether the last syllable ends in a consonant (받침)."""
    return (ord(word[-1]) - _FIRST_SYLLABLE) % _FINALS != 0


def with_particle(word: str, particle: str) -> str:
    """The word with its particle, which is named by its form after a consonant: 은, 이, 을, 에."""
    return word + (particle if has_final(word) else _AFTER_VOWEL.get(particle, particle))


def _main(meaning: Meaning, known: Noun | None) -> str:
    """The main clause without its full stop; 그 marks the noun that was mentioned before."""
    verb, time = meaning.verb, _TIMES[meaning.time]
    subject = _that(meaning.subject, known) + with_particle(meaning.subject.korean, "은")
    # The time opens a text, but after a clause it follows the topic
    start = f"{subject} {time}" if known else f"{time} {subject}"
    other = _that(meaning.other, known) + with_particle(meaning.other.korean, _case(meaning))
    phrase = meaning.action.korean.format(
        stem=verb.korean if verb else "",
        past=verb.korean_past if verb else "",
        future=verb.korean_future if verb else "",
    )
    return f"{start.strip()} {other} {phrase}"


def _that(noun: Noun, known: Noun | None) -> str:
    return "그 " if noun is known else ""


def _case(meaning: Meaning) -> Case:
    if meaning.action.case is None:
        assert meaning.verb is not None  # every action of a mover has a verb
        return meaning.verb.case
    # 에게 is only for the living
    if meaning.action.case == "에게" and meaning.other.kind == "vehicle":
        return "에"
    return meaning.action.case
