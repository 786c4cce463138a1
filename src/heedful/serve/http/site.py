"""Pages for people: the box, where a model looks, and what the API has."""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from heedful.page.bundle import page_file
from heedful.page.server import FILES, POLICY, TYPES
from heedful.serve.http.edge import Plain
from heedful.serve.http.endpoint import Endpoint, document
from heedful.serve.http.fields import number_field, read_fields, text_field
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.models import Served
from heedful.serve.refused import Refused
from heedful.serve.server import Server

BOX = {"/": "index.html", "/box.js": "box.js", "/file.js": "file.js", "/box.css": "box.css"}
MOST_LAYERS, MOST_IDS = 1000, 10_000  # more than any model has, or can hold


class Site:
    """All pages, and what the page of `heedful see` asks."""

    def __init__(self, server: Server, told_of: Sequence[Endpoint]) -> None:
        self._server = server
        self._document = document(told_of)

    def endpoints(self) -> list[Endpoint]:
        """None of them is part of the API."""
        box = [Endpoint("GET", path, _file(_box_file(name), name)) for path, name in BOX.items()]
        pages = [
            Endpoint("GET", f"/see{path}", _file(page_file(name), name))
            for path, name in FILES.items()
        ]
        return [
            *box,
            *pages,
            Endpoint("GET", "/see", self.see),
            Endpoint("GET", "/see/api/models", self.models),
            Endpoint("POST", "/see/api/{question}", self.ask),
            Endpoint("GET", "/openapi.json", self.openapi),
            Endpoint("GET", "/docs", self.docs),
        ]

    async def see(self, request: Request) -> Response:
        """Where the page is."""
        return RedirectResponse("see/")

    async def models(self, request: Request) -> Response:
        """Those that can be looked at."""
        server = self._server
        server.admission.admit(request, None)
        server.worker.check_room()
        return Plain(await while_waited_for(request, self._described(), server.options.deadline))

    async def _described(self) -> bytes:
        models = [
            await self._server.worker.ask("describe", run=str(served.run), name=_name(served))
            for served in self._server.models
        ]
        return b"[" + b",".join(models) + b"]"

    async def ask(self, request: Request) -> Response:
        """What the page wants to know of a sentence."""
        question = request.path_params["question"]
        if question not in ("attend", "head"):
            raise Refused(404, "there is nothing here")
        fields = await read_fields(request)
        server = self._server
        server.admission.admit(request, fields.get("api_key"))
        number, known = fields.get("model"), list(server.models)
        if type(number) is not int or not 0 <= number < len(known):
            raise Refused(400, f"model: one of 0 to {len(known) - 1} is wanted")
        given = _question(fields)
        server.check_amount([given["source"]])
        server.worker.check_room()
        work = server.worker.ask(question, run=str(known[number].run), **given)
        return Plain(await while_waited_for(request, work, server.options.deadline))

    async def openapi(self, request: Request) -> Response:
        """For programs."""
        return Plain(self._document)

    async def docs(self, request: Request) -> Response:
        """For people."""
        return _page(_documented(self._document), "text/html")


def _question(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What the worker is asked: of all that JSON can hold nothing but what it can send on."""
    question: dict[str, Any] = {"source": text_field(fields, "source")}
    if fields.get("kind") is not None:
        question["kind"] = text_field(fields, "kind")
    for name in ("layer", "head"):
        if fields.get(name) is not None:
            question[name] = number_field(fields, name, most=MOST_LAYERS)
    for name in ("prefix", "target"):
        ids = fields.get(name) or []
        if not isinstance(ids, list) or not all(type(i) is int and 0 <= i < 2**31 for i in ids):
            raise Refused(400, f"Invalid request: {name} must be a list of ids")
        if len(ids) > MOST_IDS:
            raise Refused(400, f"Invalid request: {name} has {len(ids)} ids, {MOST_IDS} at most")
        question[name] = ids
    return question


def _name(served: Served) -> str:
    return f"{served.source} → {served.target}"


def _box_file(name: str) -> str:
    return files("heedful.serve").joinpath("files", name).read_text(encoding="utf-8")


def _file(content: str, name: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return _page(content, TYPES[name[name.rindex(".") :]])

    return answer


def _page(content: str, kind: str) -> Response:
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)


def _documented(document: dict[str, Any]) -> str:
    """The OpenAPI document as a page to read; it needs nothing from anywhere."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>heedful: the API</title>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        "<link rel=stylesheet href=see/style.css><body class=heedful><h1>The API</h1>"
        "<p>The same <a href=openapi.json>as an OpenAPI document</a>.</p>"
    ]
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            parts.append(
                f"<section class=view><h2>{method.upper()} {html.escape(path)}</h2>"
                f"<p>{html.escape(told.get('description', ''))}</p>{_fields(told)}</section>"
            )
    return "".join(parts)


def _fields(told: dict[str, Any]) -> str:
    content = told.get("requestBody", {}).get("content", {})
    if not content:
        return ""
    schema = next(iter(content.values()))["schema"]  # the others' is much the same
    rows = [
        f"<tr><th scope=row>{html.escape(name)}</th><td>{_kind(of)}</td>"
        f"<td>{'required' if name in schema.get('required', ()) else ''}</td></tr>"
        for name, of in schema["properties"].items()
    ]
    kinds = html.escape(" or ".join(content))
    return f"<p>{kinds}</p><div class=part-table><table>{''.join(rows)}</table></div>"


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        text = " or ".join(schema["enum"])
    elif "anyOf" in schema:
        text = " or ".join(one["type"] for one in schema["anyOf"])
    else:
        of = schema.get("type", "")
        text = of if isinstance(of, str) else " or ".join(of)
    return html.escape(f"{text}. {schema['description']}" if "description" in schema else text)
