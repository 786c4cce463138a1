"""The container is built from files that are there, and takes all that a model has."""

from __future__ import annotations

import json
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from heedful.cli import app
from heedful.model_folder.card import CONFIG
from heedful.model_folder.weights import WEIGHTS
from heedful.text.sides import JOINT, SOURCE, TARGET

ROOT = Path(__file__).parent.parent
LINES = (ROOT / "docs" / "Containerfile").read_text("utf-8").splitlines()
IGNORED = [
    line
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
COPIED = [
    source
    for line in LINES
    if line.startswith("COPY ") and "--from=" not in line
    for source in line.split()[1:-1]
]
OF_THE_RUN = [source.removeprefix("${RUN}/") for source in COPIED if source.startswith("${RUN}/")]
OF_THE_PROJECT = [source for source in COPIED if not source.startswith("${RUN}/")]


def test_what_is_copied_exists_and_is_not_left_out() -> None:
    for source in OF_THE_PROJECT:
        assert (ROOT / source).exists(), source
    for source in [*OF_THE_PROJECT, *(f"runs/en-de/{name}" for name in OF_THE_RUN)]:
        assert not any(fnmatch(source, f"{pattern}*") for pattern in IGNORED), source


def test_what_the_package_is_built_from_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    files = [project["project"]["readme"], *project["project"]["license-files"]]
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    for name in [*files, *packages, project["tool"]["hatch"]["version"]["path"]]:
        assert any(name == source or name.startswith(f"{source}/") for source in OF_THE_PROJECT), (
            name
        )


def test_all_files_of_a_model_are_copied() -> None:
    for name in (CONFIG, WEIGHTS, JOINT, SOURCE, TARGET):
        assert any(fnmatch(name, pattern) for pattern in OF_THE_RUN), name


def test_the_server_is_started_by_flags_that_it_has() -> None:
    (line,) = [line for line in LINES if line.startswith("ENTRYPOINT ")]
    program, *arguments = json.loads(line.removeprefix("ENTRYPOINT "))
    assert program == "heedful"
    _, bound, _ = app.parse_args(arguments, exit_on_error=False)
    options = bound.arguments["options"]
    assert options.host == "0.0.0.0"
    (exposed,) = re.findall(r"^EXPOSE (\d+)$", "\n".join(LINES), re.MULTILINE)
    (asked,) = re.findall(r"'127\.0\.0\.1', (\d+)", "\n".join(LINES))
    assert str(options.port) == exposed == asked
