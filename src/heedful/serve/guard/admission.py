"""Whether a request is let in: its key, and its rate."""

from __future__ import annotations

import hmac
from typing import Any

from starlette.requests import Request

from heedful.serve.guard.keys import Keys, read_keys
from heedful.serve.guard.rates import Rates
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused


class Admission:
    """Knows the keys, and who asked how much."""

    def __init__(self, options: ServeOptions) -> None:
        self._options = options
        self._rates = Rates()
        self.read_keys()

    def read_keys(self) -> None:
        """Again, after somebody has changed them."""
        path = self._options.keys
        self._keys = Keys([]) if path is None else read_keys(path)

    @property
    def has_keys(self) -> bool:
        """Whether keys mean anything here."""
        return self._options.keys is not None

    def admit(self, request: Request, api_key: Any, cost: int = 1) -> None:
        """Refused unless it may be answered."""
        secret = api_key or _bearer(request)
        if secret and not isinstance(secret, str):
            raise Refused(400, "api_key must be a string")
        if secret and self.has_keys:
            key = self._keys.find(secret)
            if key is None:
                raise Refused(403, "Invalid API key")
            self._rates.take(f"key {key.name}", key.rate, cost)
            return
        if self._options.require_key:
            raise Refused(400, "an API key is wanted: send it as api_key")
        self._rates.take(f"address {self.address(request)}", self._options.rate, cost)

    def admit_to_metrics(self, request: Request) -> None:
        """Refused unless the token is right, or the question comes from this machine."""
        wanted = self._options.metrics_key
        if wanted is None:
            if self.address(request) not in ("127.0.0.1", "::1"):
                raise Refused(403, "metrics are told to this machine alone")
        elif not _same(_bearer(request), wanted):
            raise Refused(403, "Invalid bearer token")

    def address(self, request: Request) -> str:
        """Whose request it is. The last address of X-Forwarded-For is the one that our own proxy
        saw; those before it anybody can make up."""
        if self._options.behind_proxy:
            forwarded = request.headers.get("x-forwarded-for", "")
            if last := forwarded.rsplit(",", 1)[-1].strip():
                return last
        return request.client.host if request.client else ""


def _bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
