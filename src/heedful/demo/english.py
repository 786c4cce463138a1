"""A meaning said in English."""

from __future__ import annotations

from heedful.demo.meaning import Link, Meaning

_DEGREES: dict[Link, str] = {"because": "too", "even though": "very"}
_OPENINGS: dict[Link, str] = {"because": "Since", "even though": "Even though"}


def english(meaning: Meaning) -> str:
    """One English sentence: "The animal didn't cross the street because it was too tired."."""
    action = meaning.action.english.format(
        verb=meaning.verb.english if meaning.verb else "",
        past=meaning.verb.english_past if meaning.verb else "",
        other=f"the {meaning.other.english}",
    )
    main = f"the {meaning.subject.english} {action}"
    clause = "it " + meaning.reason.english.replace("~", _DEGREES[meaning.link])
    if meaning.fronted:
        time = f" {meaning.time}" if meaning.time else ""
        return f"{_OPENINGS[meaning.link]} {clause}, {main}{time}."
    if meaning.time:
        # Not capitalize(): it would turn Sunday into sunday
        time = meaning.time[0].upper() + meaning.time[1:]
        return f"{time}, {main} {meaning.link} {clause}."
    return f"T{main[1:]} {meaning.link} {clause}."
