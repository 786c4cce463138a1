"""The app: all endpoints, and what is common to their answers."""

from __future__ import annotations

import logging
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from heedful.errors import HeedfulError, InputError, RecipeError
from heedful.serve.guard.admission import Admission
from heedful.serve.http.edge import Edge, refusal
from heedful.serve.http.libretranslate import LibreTranslate
from heedful.serve.http.site import Site
from heedful.serve.http.v1 import V1
from heedful.serve.refused import Refused
from heedful.serve.server import Server
from heedful.serve.worker.client import WorkerDied, WorkerFailed

KNOWN = (Refused, HeedfulError, WorkerDied, WorkerFailed, HTTPException)
log = logging.getLogger("heedful.serve")


def make_app(server: Server) -> ASGIApp:
    """For uvicorn."""
    api = [*LibreTranslate(server).endpoints(), *V1(server).endpoints()]
    endpoints = [*api, *Site(server, api).endpoints()]
    app = Starlette(
        routes=[Route(one.path, one.answer, methods=[one.method]) for one in endpoints],
        exception_handlers={
            **{kind: partial(_refused, server.admission) for kind in KNOWN},
            ClientDisconnect: _gone,
            Exception: _fault,
        },
    )
    return Edge(app, server.options, server.metrics)


async def _refused(admission: Admission, request: Request, error: Exception) -> Response:
    """The answer to what went wrong."""
    told = error if isinstance(error, Refused) else _as_refusal(error)
    if told is None:
        log.error("%s failed: %s: %s", request.url.path, type(error).__name__, error)
        told = Refused(500, "internal error")
    return refusal(admission.counted(request, told))


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=499)  # which nobody reads


async def _fault(request: Request, error: Exception) -> Response:
    return refusal(Refused(500, "internal error"))  # whoever called us logs it


def _as_refusal(error: Exception) -> Refused | None:
    """Only what is about the request is told to whoever sent it: other errors name our folders."""
    if isinstance(error, InputError | RecipeError):
        return Refused(400, str(error))
    if isinstance(error, HTTPException):
        return Refused(error.status_code, str(error.detail), headers=error.headers)
    return None
