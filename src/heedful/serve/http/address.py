"""How a client knows this server: what addresses in answers begin with."""

from __future__ import annotations

import re

from starlette.requests import Request

HOST = re.compile(r"[\w.-]{1,253}(:\d{1,5})?|\[[0-9a-fA-F:.]+\](:\d{1,5})?", re.ASCII)
PREFIX = re.compile(r"(/[\w.~-]+)+", re.ASCII)


def address_of(request: Request, path: str, *, behind_proxy: bool) -> str:
    """Of a path of ours. A proxy tells the name that its client used (X-Forwarded-Host), and below
    what it has put us (X-Forwarded-Prefix): anybody else could make them up."""
    host, prefix = request.headers.get("host", ""), ""
    if behind_proxy:
        host = _last(request, "x-forwarded-host") or host
        prefix = _last(request, "x-forwarded-prefix").rstrip("/")
    if not HOST.fullmatch(host):
        host = "{}:{}".format(*request.scope["server"])
    if not PREFIX.fullmatch(prefix):
        prefix = ""
    return f"{request.url.scheme}://{host}{prefix}{path}"


def _last(request: Request, name: str) -> str:
    """What the nearest proxy said."""
    lines = request.headers.getlist(name)
    return lines[-1].rpartition(",")[2].strip() if lines else ""
