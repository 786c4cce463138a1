"""What a request is answered instead of a translation."""

from __future__ import annotations

from collections.abc import Mapping


class Refused(Exception):  # noqa: N818 - a word of HTTP, not a fault of ours
    """An answer of this status, with a reason that its reader can act on."""

    def __init__(
        self,
        status: int,
        why: str,
        *,
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(why)
        self.status = status
        self.why = why
        self.retry_after = retry_after
        self.headers = headers or {}


def busy(seconds: float) -> Refused:
    """There is no room: come back later."""
    return Refused(503, "the server has too much to do: try again later", retry_after=seconds)


def ending() -> Refused:
    """The server was told to end, and what it had under way took too long for that."""
    return Refused(503, "the server ends before this is done: ask again", retry_after=1.0)


def too_long(seconds: float) -> Refused:
    """It had its time. Whoever asked the same again at once would only wait as long again."""
    return Refused(
        413,
        f"not done within the {seconds:g} seconds that a request may take: send less at a time, or "
        f"when the server has less to do",
    )
