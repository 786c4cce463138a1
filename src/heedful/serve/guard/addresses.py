"""Whose request it is: the address that is counted."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import Request

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-prefix",
             "x-forwarded-proto", "x-real-ip", "origin")  # fmt: skip
"""Who sends one of these asks for another: a proxy for its client, a browser for some page."""


def peer(request: Request) -> str:
    """Who is connected."""
    client = request.scope.get("client")  # Starlette's own makes an object of it at each look
    return str(client[0]) if client else ""


def client(request: Request) -> str:
    """Who has asked our own proxy. What it saw is the last address of the last X-Forwarded-For;
    those before it anybody can make up."""
    lines = request.headers.getlist("x-forwarded-for")
    last = lines[-1].rpartition(",")[2].strip() if lines else ""
    return last if parsed(last) else peer(request)


@lru_cache(4096)
def counted(address: str) -> str:
    """As it is counted. Whoever has one address of IPv6 has all of its /64."""
    found = parsed(address)
    if isinstance(found, IPv6Address):
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found or address)


@lru_cache(4096)
def network(counted: str) -> str | None:
    """The /48 that a /64 belongs to: whoever has one mostly has all 65,536 of it."""
    if not counted.endswith("/64"):
        return None
    return f"{IPv6Address(int(IPv6Address(counted[:-3])) >> 80 << 80)}/48"


def is_loopback(address: str) -> bool:
    """Whether it is this machine's own."""
    found = parsed(address)
    return found is not None and found.is_loopback


def is_called_by_its_own_name(request: Request) -> bool:
    """Whether the client knows the server as this machine. A page whose name was made to point here
    asks as if it were ours, but by that name."""
    host = request.headers.get("host", "").lower()
    return is_loopback(host) or re.fullmatch(r"localhost\.?(:\d+)?", host) is not None


def is_forwarded(request: Request) -> bool:
    """Whether somebody else may be behind it."""
    return any(name in request.headers for name in FORWARDED)


def parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Some proxies write a port behind it; None if it is no address."""
    if found := re.fullmatch(r"\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+", address):
        address = found[1] or found[2]
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(known, IPv6Address) and known.ipv4_mapped) or known
