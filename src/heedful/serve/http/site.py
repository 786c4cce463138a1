"""Pages for people: the box, where a model looks, and what the API has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from heedful.page.bundle import page_file
from heedful.page.server import FILES, POLICY, TYPES
from heedful.serve.http.address import address_of
from heedful.serve.http.edge import Plain
from heedful.serve.http.endpoint import Endpoint
from heedful.serve.http.fields import number_field, read_fields, text_field
from heedful.serve.http.openapi.document import document
from heedful.serve.http.openapi.page import as_page
from heedful.serve.http.waiting import while_waited_for
from heedful.serve.models import Served
from heedful.serve.refused import Refused
from heedful.serve.server import Server

_OF_BOX = ("box.js", "file.js", "box.css", "docs.css")
BOX = {"/": "index.html"} | {f"/{name}": name for name in _OF_BOX}
MOST_LAYERS, MOST_IDS = 1000, 10_000  # more than any model has, or can hold


class Site:
    """All pages, and what the page of `heedful see` asks."""

    def __init__(self, server: Server, told_of: Sequence[Endpoint]) -> None:
        self._server = server
        self._document = document(told_of, with_keys=server.admission.has_keys)

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
        with server.worker.place():
            described, deadline = self._described(), server.options.deadline
            return Plain(await while_waited_for(request, described, deadline))

    async def _described(self) -> bytes:
        models = [
            await self._server.worker.ask("describe", served.snapshot, name=_name(served))
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
        with server.worker.place():
            work = server.worker.ask(question, known[number].snapshot, **given)
            return Plain(await while_waited_for(request, work, server.options.deadline))

    async def openapi(self, request: Request) -> Response:
        """For programs."""
        return Plain(self._document)

    async def docs(self, request: Request) -> Response:
        """For people."""
        behind_proxy = self._server.options.behind_proxy
        here = address_of(request, "", behind_proxy=behind_proxy).removeprefix("http://")
        return _page(as_page(self._document, here), "text/html")


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
    headers = {
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)
