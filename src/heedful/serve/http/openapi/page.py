"""The OpenAPI document as a page to read; it needs nothing from anywhere."""

from __future__ import annotations

import json
import shlex
from html import escape
from typing import Any

Schema = dict[str, Any]
JSON = "application/json"
AS = {
    JSON: "JSON",
    "application/x-www-form-urlencoded": "a form",
    "multipart/form-data": "a form of several parts",
    "text/event-stream": "server-sent events",
    "text/plain": "plain text",
    "application/octet-stream": "a file",
}
AGAIN = "; <code>Retry-After</code> says when to come again"
SHORT = 100  # characters
HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>heedful: the API</title>"
    "<meta name=viewport content='width=device-width, initial-scale=1'>"
    "<meta name=color-scheme content='light dark'><link rel=icon href='data:,'>"
    "<link rel=stylesheet href=see/style.css><link rel=stylesheet href=docs.css>"
    "<body class='heedful docs'><header><h1>The API</h1>"
    "<a href=openapi.json>as an OpenAPI document</a> <a href='.'>translate</a></header>"
)


def as_page(document: Schema, address: str) -> str:
    """All endpoints; `address` is where the server is."""
    parts, tag = [HEAD, _contents(document)], ""
    for path, method, told in _operations(document):
        if told["tags"][0] != tag:
            tag = told["tags"][0]
            parts.append(f"<h2>{escape(tag)}</h2>")
        parts.append(_section(path, method, told, address))
    return "".join([*parts, _refusals(document)])


def _operations(document: Schema) -> list[tuple[str, str, Schema]]:
    return [
        (path, method.upper(), told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    ]


def _contents(document: Schema) -> str:
    links = [
        f"<li><a href='#{told['operationId']}'><code>{escape(path)}</code></a> "
        f"{escape(told['summary'])}</li>"
        for path, _, told in _operations(document)
    ]
    return f"<ul class=contents>{''.join(links)}</ul>"


def _section(path: str, method: str, told: Schema, address: str) -> str:
    done = told["responses"]["200"]
    ((kind, answer),) = done["content"].items()
    return (
        f"<section class=view id='{told['operationId']}'><h3>{method} {escape(path)}</h3>"
        f"<p>{escape(told['summary'])} {escape(told.get('description', ''))}</p>"
        f"{_request(told)}"
        f"<h4>Answer</h4><p class=note>{AS[kind]}; else {_statuses(told)}</p>"
        f"{_fields(answer['schema'], 'not always')}{_examples(path, told, address)}</section>"
    )


def _request(told: Schema) -> str:
    content = told.get("requestBody", {}).get("content", {})
    if not content:
        return ""
    ways = [AS[kind] for kind in content]
    ways += ["the query"] * ("parameters" in told)
    schema = next(iter(content.values()))["schema"]
    return (
        f"<h4>Request</h4><p class=note>{' · '.join(ways)}</p>{_fields(schema, 'may be left out')}"
    )


def _statuses(told: Schema) -> str:
    others = [status for status in sorted(told["responses"]) if status != "200"]
    return " ".join(f"<a href='#refusals'>{status}</a>" for status in others)


def _fields(schema: Schema, optional: str) -> str:
    """Of an object, or of the objects of a list; `optional` is told of what need not be there."""
    schema = schema["anyOf"][0] if "anyOf" in schema else schema
    schema = schema["items"] if schema.get("type") == "array" else schema
    required = schema.get("required", ())
    rows = [
        f"<tr><th scope=row><code>{escape(name)}</code></th>"
        f"<td>{_kind(of)}{'' if name in required else f' <small>{optional}</small>'}</td>"
        f"<td>{escape(of.get('description', ''))}</td></tr>"
        for name, of in schema.get("properties", {}).items()
    ]
    return f"<div class=scrolls><table>{''.join(rows)}</table></div>" if rows else ""


def _kind(schema: Schema) -> str:
    """What a value is, and within which limits."""
    if "anyOf" in schema:
        return ", or ".join(map(_kind, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}{_limits(schema, 'Items', ' of them')}"
    if "enum" in schema or "const" in schema:
        name = " or ".join(schema.get("enum") or [schema["const"]])
    else:
        of = schema.get("type", "")
        name = of if isinstance(of, str) else " or ".join(of)
    name += _limits(schema, "Length", " characters") + _limits(schema, "imum")
    name += _limits(schema, "Properties", " terms")
    if "default" in schema:
        name += f", {json.dumps(schema['default'])} unless given"
    return escape(name)


def _limits(schema: Schema, what: str, unit: str = "") -> str:
    least, most = schema.get(f"min{what}"), schema.get(f"max{what}")
    if most is None:
        return ""
    if least == most:
        return f" ({most:,}{unit})"
    return f" ({f'{least:,} to' if least is not None else 'up to'} {most:,}{unit})"


def _examples(path: str, told: Schema, address: str) -> str:
    """Each as a command, and what is answered."""
    (answer,) = told["responses"]["200"]["content"].values()
    content = told.get("requestBody", {}).get("content", {})
    asked = next(iter(content.values()))["examples"] if content else {}
    answered = answer.get("examples", {})
    shown = []
    for name in asked or answered:
        command = _command(f"{address}{path}", content, asked.get(name, {}).get("value"))
        caption = escape((asked or answered)[name]["summary"])
        body = f"<pre>{escape(command)}</pre>"
        if name in answered:
            body += f"<pre class=answer>{escape(_text(answered[name]['value']))}</pre>"
        shown.append(f"<figure><figcaption>{caption}</figcaption>{body}</figure>")
    return "".join(shown)


def _command(address: str, content: Schema, sent: Any) -> str:
    begin = f"curl -s {address}"
    if sent is None:
        return begin
    if JSON in content:
        return f"{begin} -H 'Content-Type: {JSON}' -d {shlex.quote(_text(sent))}"
    fields = ["file=@letter.txt", *(f"{k}={v}" for k, v in sent.items() if k != "file")]
    return " -F ".join([begin, *fields])


def _text(value: Any) -> str:
    """Short lines where there is little to say."""
    if isinstance(value, str):
        return value
    short = json.dumps(value, ensure_ascii=False)
    return short if len(short) < SHORT else json.dumps(value, ensure_ascii=False, indent=1)


def _refusals(document: Schema) -> str:
    """What may be answered instead; each once."""
    found = {
        (status, answer["description"]): answer
        for _, _, told in _operations(document)
        for status, answer in told["responses"].items()
        if status != "200"
    }
    rows = [
        f"<tr><th scope=row>{status}</th>"
        f"<td>{escape(description)}{AGAIN if 'headers' in answer else ''}</td>"
        f"<td><code>{escape(answer['content'][JSON]['example']['error'])}</code></td></tr>"
        for (status, description), answer in sorted(found.items())
    ]
    return (
        "<section id=refusals><h2>Answered instead</h2>"
        "<p><code>{&quot;error&quot;: …}</code> with one of these, for instance:</p>"
        f"<div class=scrolls><table>{''.join(rows)}</table></div></section>"
    )
