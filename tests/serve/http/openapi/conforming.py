"""As much of JSON Schema as the server's own document uses."""

from __future__ import annotations

from typing import Any

KINDS = {
    "string": str, "integer": int, "number": int | float, "boolean": bool, "object": dict,
    "array": list, "null": type(None),
}  # fmt: skip


def faults(value: Any, schema: dict[str, Any], place: str = "$") -> list[str]:
    """What is not as it was told."""
    if "anyOf" in schema:
        found = [faults(value, one, place) for one in schema["anyOf"]]
        return [] if [] in found else [f"{place} is none of {schema['anyOf']}"]
    if "enum" in schema or "const" in schema:
        known = schema.get("enum") or [schema["const"]]
        return [] if value in known else [f"{place}: {value!r} is none of {known}"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(isinstance(value, KINDS[kind]) for kind in kinds):
        return [f"{place}: {value!r} is no {kinds}"]
    told = []
    if isinstance(value, str | list):
        what = "Length" if isinstance(value, str) else "Items"
        least, most = schema.get(f"min{what}", 0), schema.get(f"max{what}", len(value))
        told += [] if least <= len(value) <= most else [f"{place} has {len(value)}"]
    if isinstance(value, int | float):
        least, most = schema.get("minimum", value), schema.get("maximum", value)
        told += [] if least <= value <= most else [f"{place} is {value}"]
    if isinstance(value, list):
        told += [
            f for n, v in enumerate(value) for f in faults(v, schema["items"], f"{place}[{n}]")
        ]
    if isinstance(value, dict):
        told += _faults_of_object(value, schema, place)
    return told


def _faults_of_object(value: dict[str, Any], schema: dict[str, Any], place: str) -> list[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    told = [f"{place} has no {name}" for name in schema.get("required", ()) if name not in value]
    for name, one in value.items():
        if name in known:
            told += faults(one, known[name], f"{place}.{name}")
        elif others is False:
            told.append(f"{place} has {name}")
        elif isinstance(others, dict):
            told += faults(one, others, f"{place}.{name}")
    return told
