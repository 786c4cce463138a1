"""What `heedful serve` takes. Needs nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from heedful.engines.names import Device
from heedful.errors import InputError
from heedful.exports.names import Quantization

Flag = Annotated[bool, Parameter(negative="", show_default=False)]
LOOPBACK = "127.0.0.1"
LEAST = {
    "rate": 0, "characters": 1, "texts": 1, "alternatives": 0, "body": 1, "file": 1, "unpacked": 1,
    "file_characters": 1, "tags": 0, "files": 0, "queue": 1, "connections": 1,
    "connections_per_address": 0,
}  # fmt: skip
"""Of each limit."""
WIDEST_BEAM = 32  # which a request may have, too


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """Each is a flag of the command, with - for _."""

    port: int = 5000
    """Where to listen; 0 takes any that is free."""
    host: str = LOOPBACK
    """The address to listen on; only this machine can ask 127.0.0.1."""
    name: Annotated[tuple[str, ...], Parameter(negative="", show_default=False)] = ()
    """Languages of a run that does not say them, as en-de; may be repeated, in the runs' order."""
    beam: int | None = None
    """Hypotheses kept at each step; 1 is greedy. [default: each model's own]"""
    threads: int | None = None
    """CPU threads."""
    device: Device = "auto"
    """Where to translate."""
    quantize: Quantization | None = None
    """Compute with numbers of fewer bits: faster, a little less exact."""
    watch: Flag = False
    """Take up a new version of a model as soon as it is there; without it SIGHUP does."""

    keys: Path | None = None
    """File of API keys, which `heedful keys` writes; who sends one has its own rate."""
    require_key: Flag = False
    """Answer only those who send a key."""
    metrics_key: str | None = None
    """Bearer token of /metrics; without one only this machine is told them."""
    metrics_key_file: Path | None = None
    """File that holds this token, which other users of the machine could see among the flags."""
    behind_proxy: Flag = False
    """Take a client's address from X-Forwarded-For, which a proxy before this server must set, and
    this server's own from X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-Prefix."""
    log_texts: Flag = False
    """Write the texts into the log; without it they stay out."""

    rate: int = 1200
    """Requests a minute from one address without a key; 0 for no limit. Each text of a list is
    one."""
    characters: int = 50_000
    """Most characters of a request's texts."""
    texts: int = 200
    """Most texts of a request."""
    alternatives: int = 10
    """Most alternatives of a translation."""
    body: int = 1_000_000
    """Most bytes of a request without a file."""
    file: int = 10_000_000
    """Most bytes of a file."""
    unpacked: int = 100_000_000
    """Most bytes of what a file unpacks to."""
    file_characters: int = 1_000_000
    """Most characters of a file's text. Each time that a request could have held counts as one
    request more of the rate."""
    tags: int = 300_000
    """Most tags of a file."""
    files: int = 4
    """Most files at a time; more are answered 503. 0 for none at all."""
    queue: int = 1024
    """Most sentences that wait; more are answered 503."""
    connections: int = 500
    """Most clients that are connected; more are answered 503."""
    connections_per_address: int = 100
    """Most of them from one address, unless it is a proxy's (--behind-proxy); more are answered
    429. 0 for no limit."""
    deadline: float = 60.0
    """Most seconds for a request; ten times as many for a file."""

    def check(self) -> None:
        """InputError if nobody could be served like this."""
        for name, least in LEAST.items():
            if getattr(self, name) < least:
                flag = name.replace("_", "-")
                raise InputError(f"--{flag} {getattr(self, name)}: {least} or more is wanted")
        if self.beam is not None and not 1 <= self.beam <= WIDEST_BEAM:
            raise InputError(f"--beam {self.beam}: from 1 to {WIDEST_BEAM} is wanted")
        if not 0 < self.deadline < float("inf"):
            raise InputError(f"--deadline {self.deadline}: some seconds are wanted")
        if self.require_key and self.keys is None:
            raise InputError("--require-key: give the file of keys too, --keys")
        if self.metrics_key is not None and self.metrics_key_file is not None:
            raise InputError("--metrics-key and --metrics-key-file: give one of them")
        if self.metrics_key is not None and not self.metrics_key.strip():
            raise InputError("--metrics-key is empty: a token is wanted")
