"""A server to be measured."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path


def serve(run: Path, name: str = "en-de", *flags: str) -> tuple[subprocess.Popen[str], int]:
    """The real server, and its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "heedful", "serve", str(run), "--port", "0", "--rate", "0",
         "--beam", "4", "--name", name, *flags],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://[^:]+:(\d+)", line):
            # Read on: a server whose log nobody reads stands still when the pipe is full.
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, int(found[1])
    raise RuntimeError("the server did not start")
