"""Programs of others, each in an environment of its own in which heedful is not, and without a
network: a connection that is tried is refused, and told of."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from environments import python_of

OFFLINE = """
import socket, sys
tried = []
def refuse(self, address):
    tried.append(str(address))
    print("tried to reach", address, file=sys.stderr, flush=True)
    raise OSError("there is no network here")
def find(name, *rest, **more):
    if name in (None, "", "127.0.0.1", "0.0.0.0"):
        return real(name, *rest, **more)
    refuse(None, name)
socket.socket.connect = socket.socket.connect_ex = refuse
real, socket.getaddrinfo = socket.getaddrinfo, find
"""

ANSWER = """
import json
given = json.load(sys.stdin)
def answer(texts):
    content = json.dumps({"texts": texts, "tried": tried})
    open(sys.argv[1], "w", encoding="utf-8").write(content)
"""


class Outside:
    """A peer's environment, and a home of its own."""

    def __init__(self, name: str, home: Path) -> None:
        self.python = python_of(name)
        home.mkdir()
        self.home = home

    def answer(
        self, program: str, given: Sequence[Any], *arguments: str, **settings: str
    ) -> list[str]:
        """What a program makes of what it is given: it calls `answer` with texts. Arguments are
        counted from 2; settings are those of its environment."""
        path = self.home / "answer.json"
        self.run(ANSWER + program, str(path), *arguments, given=given, **settings)
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        assert not found["tried"], found["tried"]
        return [str(text) for text in found["texts"]]

    def run(
        self, program: str, *arguments: str, given: Sequence[Any] = (), **settings: str
    ) -> None:
        """To its end."""
        subprocess.run(
            [self.python, "-c", OFFLINE + program, *arguments], input=json.dumps(given), text=True,
            check=True, cwd=self.home, env=self.environment(settings),
        )  # fmt: skip

    def environment(self, settings: dict[str, str]) -> dict[str, str]:
        """Nothing of the user's own home."""
        folders = {
            name: str(self.home / name.lower())
            for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
        }
        return os.environ | {"HOME": str(self.home), "PYTHONPATH": ""} | folders | settings
