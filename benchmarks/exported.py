"""Argos Translate and LibreTranslate, from the package index and each in an environment of its own,
with a model that heedful exported. Neither may reach the network.

LibreTranslate looks for models to download whenever fewer than two are installed, and without a
network does not give up for a long time; this is left out.
"""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from outside import OFFLINE, Outside

STARTING = 180  # seconds that a server may take

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

LIBRETRANSLATE = """
import libretranslate.init
libretranslate.init.boot = lambda *arguments: None
from libretranslate.main import main
main()
"""


class Installed:
    """A package, installed for one of the two in a home of its own."""

    def __init__(self, name: str, package: Path, home: Path) -> None:
        self._outside = Outside(name, home)
        self._log = home / "log"
        self._outside.run(INSTALL, str(package))

    def argos(self, texts: list[str], languages: tuple[str, str], **settings: str) -> list[str]:
        """What Argos Translate makes of the texts; settings are those of its environment."""
        return self._outside.answer(ARGOS, texts, *languages, **settings)

    def finished(self, texts: list[str], translations: list[str]) -> list[str]:
        """Translations as LibreTranslate hands them out: with the last mark of the source."""
        return self._outside.answer(FINISH, list(zip(texts, translations, strict=True)))

    def libretranslate(self, *options: str, **settings: str) -> tuple[subprocess.Popen[bytes], int]:
        """Its server, ready, and the port."""
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            port = int(place.getsockname()[1])
        arguments = ["--host", "127.0.0.1", "--port", str(port), *options]
        with self._log.open("wb") as log:
            server = subprocess.Popen(
                [self._outside.python, "-c", OFFLINE + LIBRETRANSLATE, *arguments],
                cwd=self._outside.home, env=self._outside.environment(settings),
                stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + STARTING
        while server.poll() is None and time.monotonic() < until:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/languages", timeout=5).close()
                return server, port
            except OSError:
                time.sleep(0.2)
        server.kill()
        raise RuntimeError(self._log.read_text(encoding="utf-8", errors="replace"))

    def tried(self) -> list[str]:
        """Connections that the server tried."""
        log = self._log.read_text(encoding="utf-8", errors="replace")
        return [line for line in log.splitlines() if line.startswith("tried to reach")]
