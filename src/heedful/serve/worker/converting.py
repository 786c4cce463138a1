"""A model's copy for CTranslate2, made in a process of its own: it takes torch, which would stay in
the server for good."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from heedful.engines.converted import NowhereToWriteError, converted, is_converted
from heedful.errors import HeedfulError, ModelFolderError

REFUSED, NOWHERE = 3, 4  # the exit codes of a process that has told why


def convert(run: Path) -> None:
    """Makes the copy, unless it is there."""
    if is_converted(run):
        return
    # -P: what lies in the folder where the server was started is not imported.
    command = [sys.executable, "-P", "-m", "heedful.serve.worker.converting", str(run)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            told = process.stdout.read()
        except BaseException:  # we are told to end: it takes away what it has begun
            process.terminate()
            raise
    if process.returncode == REFUSED:
        raise ModelFolderError(os.fsdecode(told))
    if process.returncode == NOWHERE:
        raise NowhereToWriteError(os.fsdecode(told))
    if process.returncode:
        raise ModelFolderError(
            f"the copy of {run} for CTranslate2 was not made: the process that makes it ended with "
            f"{process.returncode}"
        )


def main() -> None:
    """`python -m heedful.serve.worker.converting RUN`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's are for the server
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.nice(10)  # it may be a new version of what is served meanwhile
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    answer = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints, prints there
    try:
        converted(Path(sys.argv[1]))
    except HeedfulError as error:
        os.write(answer, os.fsencode(str(error)))
        sys.exit(NOWHERE if isinstance(error, NowhereToWriteError) else REFUSED)


def _end_with_the_server() -> None:
    """However that ends: our input is closed then, and nobody wants the copy any more."""
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
