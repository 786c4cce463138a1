"""The app: all endpoints, and what is common to their answers."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from heedful.errors import HeedfulError
from heedful.serve.http.edge import Edge, refusal
from heedful.serve.http.libretranslate import LibreTranslate
from heedful.serve.http.site import Site
from heedful.serve.http.v1 import V1
from heedful.serve.refused import Refused
from heedful.serve.server import Server
from heedful.serve.worker.client import WorkerDied, WorkerFailed

log = logging.getLogger("heedful.serve")


def make_app(server: Server) -> ASGIApp:
    """For uvicorn."""
    api = [*LibreTranslate(server).endpoints(), *V1(server).endpoints()]
    endpoints = [*api, *Site(server, api).endpoints()]
    app = Starlette(
        routes=[Route(one.path, one.answer, methods=[one.method]) for one in endpoints],
        exception_handlers={
            Refused: _refused,
            HeedfulError: _wrong_input,
            WorkerDied: _by_the_worker,
            WorkerFailed: _by_the_worker,
            HTTPException: _by_starlette,
            Exception: _fault,
        },
    )
    return Edge(app, server.options, server.metrics)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error)


async def _wrong_input(request: Request, error: Exception) -> Response:
    return refusal(Refused(400, str(error)))


async def _by_the_worker(request: Request, error: Exception) -> Response:
    log.error("%s: the worker failed: %s", request.url.path, error)
    return refusal(Refused(500, "internal error"))


async def _fault(request: Request, error: Exception) -> Response:
    return refusal(Refused(500, "internal error"))  # whoever called us logs it


async def _by_starlette(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal(Refused(error.status_code, str(error.detail)))
