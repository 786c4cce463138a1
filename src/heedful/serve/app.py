"""The app: all endpoints, and who answers which request."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from heedful.errors import HeedfulError, InputError, RecipeError
from heedful.serve.guard.admission import Admission
from heedful.serve.http.edge import Edge, refusal
from heedful.serve.http.endpoint import Answer, Endpoint
from heedful.serve.http.libretranslate import LibreTranslate
from heedful.serve.http.site import Site
from heedful.serve.http.v1 import V1
from heedful.serve.refused import Refused, ending
from heedful.serve.server import Server
from heedful.serve.worker.client import WorkerDied, WorkerFailed

KNOWN = (Refused, HeedfulError, WorkerDied, WorkerFailed, HTTPException)
log = logging.getLogger("heedful.serve")


def make_app(server: Server) -> ASGIApp:
    """For uvicorn."""
    api = [*LibreTranslate(server).endpoints(), *V1(server).endpoints()]
    endpoints = [*api, *Site(server, api).endpoints()]
    return Edge(App(endpoints, server.admission), server.options, server.metrics)


class App:
    """A request's path and method -> who answers it. (With Starlette's own router, and what it
    wraps around each endpoint, a request takes a third longer until somebody answers.)"""

    def __init__(self, endpoints: Sequence[Endpoint], admission: Admission) -> None:
        self._admission = admission
        self._by_path: dict[str, dict[str, Answer]] = {}
        self._patterns: list[tuple[re.Pattern[str], dict[str, Answer]]] = []
        for endpoint in endpoints:
            pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", endpoint.path)
            if pattern == endpoint.path:
                self._by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint.answer
            else:
                self._patterns.append((re.compile(pattern), {endpoint.method: endpoint.answer}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        request = Request(scope, receive)
        try:
            response = await self._answer(scope)(request)
        except KNOWN as error:
            response = self._refused(request, error)
        except asyncio.CancelledError:  # who has left or waited too long is told before: we end
            response = refusal(ending())
        with contextlib.suppress(asyncio.CancelledError):  # a stream has told it, a file is cut
            await response(scope, receive, send)

    def _answer(self, scope: Scope) -> Answer:
        """Refused if there is none."""
        answers = self._answers(scope["path"], scope)
        if not answers:
            return self._elsewhere(scope["path"])
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        if method not in answers:
            allowed = ", ".join([*answers, *(["HEAD"] if "GET" in answers else [])])
            raise Refused(405, "Method Not Allowed", headers={"Allow": allowed})
        return answers[method]

    def _answers(self, path: str, scope: Scope) -> dict[str, Answer]:
        """By their methods."""
        if path in self._by_path:
            return self._by_path[path]
        for pattern, answers in self._patterns:
            if match := pattern.fullmatch(path):
                scope["path_params"] = match.groupdict()
                return answers
        return {}

    def _elsewhere(self, path: str) -> Answer:
        """Whoever wrote a slash too many or too few is shown the way."""
        is_too_many = path.endswith("/")
        if (path[:-1] if is_too_many else path + "/") not in self._by_path:
            raise Refused(404, "Not Found")
        name = path.strip("/").rpartition("/")[2]
        way = f"../{name}" if is_too_many else f"{name}/"  # a proxy may have a path before ours

        async def show(request: Request) -> Response:
            query = request.url.query
            return RedirectResponse(f"{way}?{query}" if query else way)

        return show

    def _refused(self, request: Request, error: Exception) -> Response:
        """The answer to what went wrong."""
        told = error if isinstance(error, Refused) else _as_refusal(error)
        if told is None:
            log.error("%s failed: %s: %s", request.url.path, type(error).__name__, error)
            told = Refused(500, "internal error")
        return refusal(self._admission.counted(request, told))


def _as_refusal(error: Exception) -> Refused | None:
    """Only what is about the request is told to whoever sent it: other errors name our folders."""
    if isinstance(error, InputError | RecipeError):
        return Refused(400, str(error))
    if isinstance(error, HTTPException):
        return Refused(error.status_code, str(error.detail), headers=error.headers)
    return None
