"""The app: all endpoints, and what is common to their answers."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from heedful import __version__
from heedful.errors import HeedfulError
from heedful.serve.http import libretranslate, site, v1
from heedful.serve.http.edge import Edge, refusal
from heedful.serve.refused import Refused
from heedful.serve.server import Server
from heedful.serve.worker.client import WorkerDied, WorkerFailed

log = logging.getLogger("heedful.serve")


def make_app(server: Server) -> ASGIApp:
    """For uvicorn."""
    app = FastAPI(title="heedful", version=__version__, docs_url=None, redoc_url=None)
    for router in (
        libretranslate.make_router(server),
        v1.make_router(server),
        site.make_router(server, app),
    ):
        app.include_router(router)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return refusal(error)

    @app.exception_handler(HeedfulError)
    async def wrong_input(request: Request, error: HeedfulError) -> Response:
        return refusal(Refused(400, str(error)))

    @app.exception_handler(WorkerDied)
    @app.exception_handler(WorkerFailed)
    async def by_the_worker(request: Request, error: Exception) -> Response:
        log.error("%s: the worker failed: %s", request.url.path, error)
        return refusal(Refused(500, "internal error"))

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        return refusal(Refused(500, "internal error"))  # whoever called us logs it

    @app.exception_handler(HTTPException)
    async def by_starlette(request: Request, error: HTTPException) -> Response:
        return refusal(Refused(error.status_code, str(error.detail)))

    return Edge(app, server.options, server.metrics)
