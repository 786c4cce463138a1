"""To Argos Translate, which LibreTranslate serves: one file that it installs."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from heedful.exports.ctranslate2 import write_ctranslate2
from heedful.exports.sentence_ends import sentence_ends
from heedful.exports.stored import StoredModel
from heedful.text.languages import name_of

VERSION = "1.0"
ARGOS = "1.11"  # the first that takes its sentence splitter from the package


def write_argos(stored: StoredModel, out: Path, *, quantize: str | None, work: Path) -> None:
    """Writes the package; `work` is an empty folder for what goes into it."""
    source, target = str(stored.card.text.source_lang), str(stored.card.text.target_lang)
    top = f"translate-{source}_{target}-{VERSION.replace('.', '_')}"
    model = work / "model"
    model.mkdir()
    write_ctranslate2(stored, model, quantize=quantize, for_others=True)
    texts: dict[str, bytes | str] = {
        "metadata.json": json.dumps(_metadata(source, target), indent=1),
        "README.md": f"# {source} to {target}\n\nTrained with heedful.\n",
        "sentencepiece.model": stored.source_tokenizer.to_bytes(),
        "minisbd/heedful.onnx": sentence_ends(source),
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in texts.items():
            package.writestr(f"{top}/{name}", content)
        for path in sorted(model.iterdir()):
            package.write(path, f"{top}/model/{path.name}")


def _metadata(source: str, target: str) -> dict[str, str]:
    return {
        "package_version": VERSION,
        "argos_version": ARGOS,
        "from_code": source,
        "from_name": name_of(source),
        "to_code": target,
        "to_name": name_of(target),
    }
