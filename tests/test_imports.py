"""Imports go one way, and nothing heavy is loaded before it is needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import heedful

PACKAGE = Path(heedful.__file__).parent

MAY_IMPORT = {
    "errors": set(),
    "settings": set(),
    "text": set(),
    "batches": {"text", "machine"},
    "attention": set(),
    "layers": {"attention"},
    "models": {"attention", "layers"},
    "decoding": {"models"},
    "evaluation": {"text"},
    "see": {"text", "batches", "attention", "layers", "models", "decoding", "page"},
    "page": {"text", "see", "translator"},
    "draw": {"see", "training", "translator"},
    "seeing": {"see", "page", "translator", "draw"},
    "files": set(),
    "wire": set(),
    "machine": set(),
    "model_folder": {"text", "models", "decoding"},
    "exports": {"text", "layers", "models", "model_folder"},
    "imports": {"text", "layers", "models", "decoding", "model_folder", "exports"},
    "engines": {
        "text", "batches", "attention", "models", "decoding", "machine", "model_folder", "exports",
    },
    "terminology": {"text", "models", "decoding", "engines"},
    "planning": {"text", "decoding", "model_folder", "engines", "terminology"},
    "translator": {
        "text", "models", "decoding", "see", "machine", "model_folder", "exports", "engines",
        "planning",
    },
    "documents": {"text", "planning"},
    "serve": {
        "text", "decoding", "machine", "model_folder", "exports", "engines", "planning",
        "terminology", "translator", "documents", "page",
    },
    "recipe": {"text", "models", "decoding", "training"},
    "training": {
        "text", "batches", "attention", "layers", "models", "decoding", "evaluation", "see",
        "machine", "model_folder", "engines", "translator", "recipe",
    },
    "demo": {"evaluation", "see", "training", "translator"},
    "streaming": {"text", "planning", "translator"},
    "judging": {"text", "batches", "evaluation", "training", "translator"},
    "describe": {"model_folder"},
    "api": {"text", "evaluation", "exports", "training", "translator"},
    "comparison": {
        "text", "batches", "attention", "layers", "models", "evaluation", "see", "machine",
        "model_folder", "translator", "recipe", "training", "demo",
    },
}  # fmt: skip
"""Beside themselves, errors, settings, files and wire, which all may import."""


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "heedful":
                names = [f"heedful.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("heedful.")}
    return rooms - {"errors", "settings", "files", "wire", "__version__"}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    folder = PACKAGE / room
    files = sorted(folder.glob("**/*.py")) if folder.is_dir() else [PACKAGE / f"{room}.py"]
    assert files
    for file in files:
        assert imported_rooms(file) <= MAY_IMPORT[room] | {room}, file


def test_scores_are_computed_in_one_place() -> None:
    """It normalises all text before; whoever called sacreBLEU elsewhere could forget to."""
    files = [file for file in PACKAGE.glob("**/*.py") if file.parent.name != "evaluation"]
    assert not [file for file in files if re.search(r"(from|import) sacrebleu", file.read_text())]


def test_the_recipe_knows_nothing_but_settings() -> None:
    modules = re.findall(r"^from heedful\.(\S+)", (PACKAGE / "recipe.py").read_text(), re.MULTILINE)
    assert {m for m in modules if not m.endswith(".config")} == {"errors", "settings"}


def test_every_room_is_listed() -> None:
    rooms = {p.stem for p in PACKAGE.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert rooms - {"__init__", "__main__", "cli"} == MAY_IMPORT.keys()


def loaded_after(code: str) -> set[str]:
    program = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return {name.split(".")[0] for name in output.stdout.split()}


PICKLERS = {
    "pickle", "cPickle", "dill", "cloudpickle", "shelve", "joblib", "multiprocessing",
    "concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process",
    "torch.load", "torch.save", "torch.multiprocessing",
    *(f"{module}.{name}" for module in ("np", "numpy") for name in ("load", "save")),
}  # fmt: skip
HEAVY = {"torch", "matplotlib", "sacrebleu"}


@pytest.mark.parametrize(
    "code",
    [
        "import heedful",
        "import heedful.cli",
        "import heedful.recipe",
        "import heedful.demo.corpus",
        "import heedful.seeing.catalogue",
        "import heedful; heedful.draw.arcs",
        "import heedful.evaluation",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str) -> None:
    assert not loaded_after(code) & HEAVY


def test_judging_draws_no_tables_before_it_is_asked_to() -> None:
    assert "rich" not in loaded_after("import heedful.evaluation")


@pytest.mark.parametrize(
    "module",
    ["text.tokenizer", "text.corpus", "batches.prepare", "streaming", "judging", "describe"],
)
def test_who_needs_no_torch_does_not_load_it(module: str) -> None:
    assert "torch" not in loaded_after(f"import heedful.{module}")


def pickling(program: str) -> set[str]:
    """What a program takes from those that pickle, or that pickle by default."""
    taken = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            taken |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            taken |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken.add(f"{node.value.id}.{node.attr}")
    return {name for name in taken if name in PICKLERS or name.split(".")[0] in PICKLERS}


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "import os, shelve as s",
        "from multiprocessing.pool import Pool",
        "import multiprocessing.shared_memory",
        "from joblib import dump",
        "from concurrent.futures import ProcessPoolExecutor",
        "from torch import nn, load",
        "from torch import multiprocessing",
        "import torch.multiprocessing as mp",
        "from numpy import save",
        "x = torch.load(path)",
        "if np.load: pass",
    ],
)
def test_whatever_pickles_is_found(line: str) -> None:
    assert pickling(f"def f() -> None:\n    {line}\n")
    assert not pickling("from heedful.translator import load\nload(1)\nimport torch\ntorch.nn\n")


def test_nothing_is_pickled() -> None:
    """Neither on a disk nor on a pipe: to unpickle is to run what somebody else wrote."""
    files = list(PACKAGE.rglob("*.py"))
    assert files
    for file in files:
        assert not pickling(file.read_text(encoding="utf-8")), file
