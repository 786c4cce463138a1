"""Argos Translate and LibreTranslate, from the package index and each in an environment of its own,
with a model that heedful exported. Neither may reach the network: a connection that is tried is
refused, and told of.

LibreTranslate looks for models to download whenever fewer than two are installed, and without a
network does not give up for a long time; this is left out.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from environments import python_of

STARTING = 180  # seconds that a server may take

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

INSTALL = """
from argostranslate import package
package.install_from_path(sys.argv[1])
"""

ARGOS = """
from argostranslate import translate
translation = translate.get_translation_from_codes(*sys.argv[2:4])
answer([translation.translate(text) for text in given])
"""

FINISH = """
from libretranslate.language import improve_translation_formatting
answer([improve_translation_formatting(*pair) for pair in given])
"""

ANSWER = """
import json
given = json.load(sys.stdin)
def answer(texts):
    content = json.dumps({"texts": texts, "tried": tried})
    open(sys.argv[1], "w", encoding="utf-8").write(content)
"""

LIBRETRANSLATE = """
import libretranslate.init
libretranslate.init.boot = lambda *arguments: None
from libretranslate.main import main
main()
"""


class Installed:
    """A package, installed for one of the two in a home of its own."""

    def __init__(self, name: str, package: Path, home: Path) -> None:
        self._python = python_of(name)
        home.mkdir()
        self._home = home
        self._run(OFFLINE + INSTALL, str(package))

    def argos(self, texts: list[str], languages: tuple[str, str], **settings: str) -> list[str]:
        """What Argos Translate makes of the texts; settings are those of its environment."""
        return self._answer(ARGOS, texts, *languages, **settings)

    def finished(self, texts: list[str], translations: list[str]) -> list[str]:
        """Translations as LibreTranslate hands them out: with the last mark of the source."""
        return self._answer(FINISH, list(zip(texts, translations, strict=True)))

    def _answer(
        self, program: str, given: Sequence[Any], *arguments: str, **settings: str
    ) -> list[str]:
        path = self._home / "answer.json"
        program = OFFLINE + ANSWER + program
        self._run(program, str(path), *arguments, given=given, **settings)
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        assert not found["tried"], found["tried"]
        return [str(text) for text in found["texts"]]

    def libretranslate(self, *options: str, **settings: str) -> tuple[subprocess.Popen[bytes], int]:
        """Its server, ready, and the port."""
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            port = int(place.getsockname()[1])
        arguments = ["--host", "127.0.0.1", "--port", str(port), *options]
        with (self._home / "log").open("wb") as log:
            server = subprocess.Popen(
                [self._python, "-c", OFFLINE + LIBRETRANSLATE, *arguments],
                cwd=self._home, env=self._environment(settings), stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + STARTING
        while server.poll() is None and time.monotonic() < until:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/languages", timeout=5).close()
                return server, port
            except OSError:
                time.sleep(0.2)
        server.kill()
        raise RuntimeError((self._home / "log").read_text(encoding="utf-8", errors="replace"))

    def tried(self) -> list[str]:
        """Connections that the server tried."""
        log = (self._home / "log").read_text(encoding="utf-8", errors="replace")
        return [line for line in log.splitlines() if line.startswith("tried to reach")]

    def _run(
        self, program: str, *arguments: str, given: Sequence[Any] = (), **settings: str
    ) -> None:
        subprocess.run(
            [self._python, "-c", program, *arguments], input=json.dumps(given), text=True,
            check=True, cwd=self._home, env=self._environment(settings),
        )  # fmt: skip

    def _environment(self, settings: dict[str, str]) -> dict[str, str]:
        folders = {
            name: str(self._home / name.lower())
            for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
        }
        return os.environ | {"HOME": str(self._home), "PYTHONPATH": ""} | folders | settings
