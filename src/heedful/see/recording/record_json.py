"""A record as JSON, for files, for the page and for other programs.

    {"format": 1, "model": …, "source": …, "target": …, "source_pieces": […], "target_pieces": […],
     "target_ids": […], "languages": ["en", "fr"], "alignment_layer": 1,
     "attentions": [{"kind": "cross", "layer": 1, "queries": […], "keys": […], "weights": ARRAY,
                     "working": {"score": "q · k", "products": ARRAY, "divisor": …, "mask": ARRAY,
                                 "outcome": ARRAY, "made_by": …, "joined": ARRAY or null,
                                 "factor": ARRAY or null,
                                 "vectors": {"1": {"queries": ARRAY, "keys": …, "values": …}}}}],
     "predictions": [[{"piece": …, "id": …, "probability": …}, …], …],
     "search": [{"parent": …, "step": …, "piece": …, …}, …]}

ARRAY is {"shape": […], "type": "float32" or "bool", "base64": …}: see `arrays.py`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from heedful.errors import InputError
from heedful.see.recording.arrays import pack, unpack
from heedful.see.recording.attention import Attention, Vectors, Working
from heedful.see.recording.record import Candidate, Node, Record

FORMAT = 1


def to_json(record: Record) -> str:
    """The whole record."""
    return json.dumps(as_data(record), ensure_ascii=False, separators=(",", ":"))


def as_data(record: Record) -> dict[str, Any]:
    """The record as plain data."""
    return {
        "format": FORMAT,
        "model": record.model,
        "source": record.source,
        "target": record.target,
        "source_pieces": list(record.source_pieces),
        "target_pieces": list(record.target_pieces),
        "target_ids": list(record.target_ids),
        "languages": list(record.languages),
        "alignment_layer": record.alignment_layer,
        "attentions": [_attention_data(attention) for attention in record.attentions],
        "predictions": [[asdict(c) for c in place] for place in record.predictions],
        "search": [asdict(node) for node in record.search],
    }


def _attention_data(attention: Attention) -> dict[str, Any]:
    return {
        "kind": attention.kind,
        "layer": attention.layer,
        "queries": list(attention.queries),
        "keys": list(attention.keys),
        "weights": pack(attention.weights),
        "working": _working_data(attention.working) if attention.working else None,
    }


def _working_data(working: Working) -> dict[str, Any]:
    return {
        "score": working.score,
        "products": pack(working.products),
        "divisor": working.divisor,
        "mask": pack(working.mask),
        "outcome": pack(working.outcome),
        "made_by": working.made_by,
        "joined": None if working.joined is None else pack(working.joined),
        "factor": None if working.factor is None else pack(working.factor),
        "vectors": {
            str(head): {
                "queries": pack(of.queries),
                "keys": pack(of.keys),
                "values": pack(of.values),
            }
            for head, of in working.vectors.items()
        },
    }


def from_json(text: str, *, where: str) -> Record:
    """Checked as a whole; `where` is told if it is damaged."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise InputError(
                f"{where} has format {data['format']!r}, this heedful reads {FORMAT}: record the "
                f"sentence again"
            )
        record = _record(data, where)
        _check(record)
        return record
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{where} is damaged ({type(error).__name__}: {error}): record the sentence again"
        ) from None


def _record(data: dict[str, Any], where: str) -> Record:
    source_language, target_language = data["languages"]
    return Record(
        _text(data["source"], "source"),
        _text(data["target"], "target"),
        tuple(_text(piece, "source_pieces") for piece in data["source_pieces"]),
        tuple(_text(piece, "target_pieces") for piece in data["target_pieces"]),
        tuple(_attention(a, where) for a in data["attentions"]),
        tuple(tuple(_candidate(c) for c in place) for place in data["predictions"]),
        tuple(_node(node) for node in data["search"]),
        _text(data["model"], "model"),
        tuple(int(i) for i in data["target_ids"]),
        (_text(source_language, "languages"), _text(target_language, "languages")),
        _layer(data.get("alignment_layer")),  # older records have none
    )


def _layer(value: object) -> int | None:
    if value is not None and type(value) is not int:
        raise ValueError(f"got {value!r} for alignment_layer, wanted a whole number")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"got {value!r} in {name}, wanted text")
    return value


def _check(record: Record) -> None:
    """That its parts are of one sentence: pictures take the words of one for those of another."""
    if not record.attentions:
        raise ValueError("it has no attention")
    for attention in record.attentions:
        looks = "source_pieces" if attention.kind == "encoder" else "target_pieces"
        _check_pieces(record, looks, f"queries of {attention.name}", attention.queries)
        if attention.kind != "decoder":  # that looks at what is written already
            _check_pieces(record, "source_pieces", f"keys of {attention.name}", attention.keys)
    if not record.predictions and any(a.working is not None for a in record.attentions):
        raise ValueError(f"got no predictions, wanted them for {len(record.target_pieces)} pieces")


def _check_pieces(record: Record, name: str, other: str, found: tuple[str, ...]) -> None:
    wanted = getattr(record, name)
    if found != wanted:
        raise ValueError(f"got {len(wanted)} {name}, wanted the {len(found)} {other}")


def _candidate(data: dict[str, Any]) -> Candidate:
    return Candidate(str(data["piece"]), int(data["id"]), float(data["probability"]))


def _node(data: dict[str, Any]) -> Node:
    numbers = {name: float(data[name]) for name in ("probability", "log_prob")}
    return Node(**data | numbers | {"piece": str(data["piece"])})


def _attention(data: dict[str, Any], where: str) -> Attention:
    return Attention(
        data["kind"],
        data["layer"],
        unpack(data["weights"], where),
        tuple(data["queries"]),
        tuple(data["keys"]),
        _working(data["working"], where) if data["working"] else None,
    )


def _working(data: dict[str, Any], where: str) -> Working:
    return Working(
        str(data["score"]),
        unpack(data["products"], where),
        float(data["divisor"]),
        unpack(data["mask"], where),
        unpack(data["outcome"], where),
        str(data["made_by"]),
        None if data["joined"] is None else unpack(data["joined"], where),
        None if data["factor"] is None else unpack(data["factor"], where),
        {
            int(head): Vectors(*(unpack(of[p], where) for p in ("queries", "keys", "values")))
            for head, of in data["vectors"].items()
        },
    )
