"""Whether a request is let in: its key, and its rate."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

from starlette.requests import Request

from heedful.errors import InputError
from heedful.serve.guard import addresses
from heedful.serve.guard.keys import Keys, read_keys
from heedful.serve.guard.rates import Rates
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused

OF_NETWORK = 10  # times the rate of an address: so much may come from all of a /48
WANTS_KEY = {"WWW-Authenticate": "Bearer"}  # by which the page knows it
COUNTED = "heedful.counted"  # in a request's scope: it has been paid for


class Admission:
    """Knows the keys, and who asked how much."""

    def __init__(self, options: ServeOptions) -> None:
        self._options = options
        self._of_keys, self._of_addresses = Rates(), Rates()  # a flood of one leaves the other
        self._of_networks = Rates()
        self.read_keys()

    def read_keys(self) -> None:
        """Again, after somebody has changed them. What cannot be read leaves all as it was."""
        options = self._options
        keys = Keys([]) if options.keys is None else read_keys(options.keys)
        token = options.metrics_key
        if options.metrics_key_file is not None:
            token = _read_token(options.metrics_key_file)
        self._keys, self._metrics_key = keys, token

    @property
    def has_keys(self) -> bool:
        """Whether keys mean anything here."""
        return self._options.keys is not None

    def admit(self, request: Request, api_key: Any, cost: int = 1) -> None:
        """Refused unless it may be answered."""
        secret = _bearer(request) if api_key in (None, "") else api_key
        if not isinstance(secret, str):
            raise Refused(400, "api_key must be a string")
        if secret and self.has_keys:
            key = self._keys.find(secret)
            if key is None:
                raise Refused(403, "Invalid API key", headers=WANTS_KEY)
            self._of_keys.take(key.name, key.rate, cost)
        elif self._options.require_key:
            raise Refused(400, "an API key is wanted: send it as api_key", headers=WANTS_KEY)
        else:
            self._count_address(request, cost)
        request.scope[COUNTED] = True

    def counted(self, request: Request, refused: Refused) -> Refused:
        """What is refused before it was let in counts too, for its address: neither keys nor
        nonsense can be tried for nothing."""
        if refused.status < 500 and COUNTED not in request.scope:
            try:
                self._count_address(request)
            except Refused as too_fast:
                return too_fast
        return refused

    def _count_address(self, request: Request, cost: int = 1) -> None:
        address, rate = self.address(request), self._options.rate
        self._of_addresses.take(address, rate, cost)
        if network := addresses.network(address):
            self._of_networks.take(network, OF_NETWORK * rate, cost)

    def admit_to_metrics(self, request: Request) -> None:
        """Refused unless the token is right, or the question comes from this machine, and from
        nobody behind it."""
        if self._metrics_key is None:
            is_near = addresses.is_loopback(addresses.peer(request))
            is_ours = is_near and addresses.is_called_by_its_own_name(request)
            if not is_ours or addresses.is_forwarded(request):
                raise Refused(403, "metrics are told to this machine alone")
        elif not _same(_bearer(request), self._metrics_key):
            raise Refused(403, "Invalid bearer token")

    def address(self, request: Request) -> str:
        """Whose request it is."""
        of = addresses.client if self._options.behind_proxy else addresses.peer
        return addresses.counted(of(request))


def _read_token(path: Path) -> str:
    try:
        token = path.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not token:
        raise InputError(f"{path} is empty: a token is wanted")
    return token


def _bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
