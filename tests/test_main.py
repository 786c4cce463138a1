"""The command's first moment."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "heedful.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from heedful.__main__ import main
main()
"""


def test_interrupted_while_it_loads_it_ends_without_a_word() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stderr) == (130, "")
