"""A virtual environment for each peer, made once below `benchmarks/.environments`, then re-used.

    python benchmarks/environments.py [NAME ...]

All but LibreTranslate and Optimum, which want other versions, and schemathesis share heedful's
constraints, so that every peer that is measured computes with the same torch. The peers that ask
for an older torch, or for more than training needs, are installed without their dependencies and
given those that their trainers import.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE / ".environments"
CONSTRAINTS = HERE.parent / "constraints.txt"


@dataclass(frozen=True)
class Peer:
    """What to install: the peer itself, pinned, and what it cannot do without."""

    package: str
    needs: tuple[str, ...]
    alone: bool = False
    """Whether its own dependencies are at odds with heedful's constraints."""

    def recipe(self) -> str:
        """Changes when the environment has to be made again."""
        return "\n".join([self.package, *self.needs, CONSTRAINTS.read_text()])


PEERS = {
    "eole": Peer(
        "eole==0.6.4",
        (
            "torch", "numpy", "pydantic", "pyyaml", "rich", "safetensors", "sentencepiece",
            "protobuf", "pillow", "regex", "sacrebleu", "huggingface_hub==2.4.0",
            "tokenizers==0.23.3", "configargparse==1.9.0", "pyonmttok==1.38.1",
        ),
    ),
    "opennmt-py": Peer(
        "OpenNMT-py==3.5.1",
        (
            "torch", "numpy", "pyyaml", "regex", "sacrebleu", "six", "configargparse==1.9.0",
            "pyonmttok==1.38.1", "spacy==3.8.18", "pyahocorasick==2.3.1", "rapidfuzz==3.14.6",
            "fasttext-wheel==0.9.2",
        ),
    ),
    "marian": Peer(
        "transformers==5.22.2",
        (
            "torch", "numpy", "safetensors", "regex", "pyyaml", "packaging", "filelock",
            "tqdm==4.70.1", "typer==0.29.0", "huggingface_hub==2.4.0", "tokenizers==0.23.3",
            "sentencepiece",
        ),
    ),
    "ctranslate2": Peer("ctranslate2==4.8.4", ("numpy", "pyyaml", "sentencepiece")),
    "argos": Peer(
        "argostranslate==1.11.0",
        (
            "torch", "numpy", "ctranslate2", "sentencepiece", "packaging", "minisbd==0.9.5",
            "sacremoses==0.1.1", "spacy==3.8.18", "stanza==1.10.1",
        ),
    ),
    "fastapi": Peer("fastapi==0.162.4", (), alone=True),
    "schemathesis": Peer("schemathesis==4.32.5", (), alone=True),
    "libretranslate": Peer(
        "libretranslate==1.9.6", ("ctranslate2==4.8.4", "sentencepiece==0.2.2"), alone=True
    ),
    "optimum": Peer(
        "optimum-onnx==0.1.0",
        (
            "optimum==2.1.0", "transformers==4.57.6", "torch==2.13.0", "numpy==2.4.6",
            "onnx==1.23.2", "onnxruntime==1.31.1", "sentencepiece==0.2.2",
        ),
        alone=True,
    ),
}  # fmt: skip


def python_of(name: str) -> Path:
    """The interpreter of a peer's environment, which is made now if it is not there."""
    peer, folder = PEERS[name], FOLDER / name
    python, ready = folder / "bin" / "python", folder / "ready"
    if ready.exists() and ready.read_text() == peer.recipe():
        return python
    print(f"making the environment of {name} …", file=sys.stderr, flush=True)
    venv.create(folder, clear=True, with_pip=True)
    if peer.alone:
        _install(python, peer.package, *peer.needs)
    else:
        _install(python, "--constraint", str(CONSTRAINTS), *peer.needs)
        _install(python, "--no-deps", peer.package)
    ready.write_text(peer.recipe())
    return python


def _install(python: Path, *arguments: str) -> None:
    # What pip says must not mix with a benchmark's table on standard output.
    command = [str(python), "-m", "pip", "install", "--quiet", *arguments]
    subprocess.run(command, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PEERS:
        python_of(wanted)
