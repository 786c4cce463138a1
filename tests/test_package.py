"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import heedful

PUBLIC = [
    "HeedfulError", "Record", "Translation", "Translator", "__version__", "draw", "evaluate",
    "export", "load", "train",
]  # fmt: skip


def test_what_users_need_is_listed_and_nothing_else() -> None:
    assert dir(heedful) == sorted(heedful.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(heedful, name).__doc__
    with pytest.raises(AttributeError, match="module 'heedful' has no attribute 'tranlate'"):
        heedful.tranlate  # type: ignore[attr-defined]  # noqa: B018 mypy rejects it too


def test_types_are_shipped() -> None:
    assert (Path(heedful.__file__).parent / "py.typed").exists()


def test_importing_it_loads_no_other_package() -> None:
    """But for Python's own."""
    program = """if True:
        import sys
        before = set(sys.modules)
        import heedful
        new = {name.split(".")[0] for name in set(sys.modules) - before}
        print(*sorted(new - set(sys.stdlib_module_names)))
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["heedful"], "")
