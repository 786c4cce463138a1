"""The page as one file, with the records of some sentences: it works from disk, alone."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.files import write_atomically
from heedful.page.bundle import bundle, page_file
from heedful.page.describe import describe
from heedful.see.recording.record_json import as_data

if TYPE_CHECKING:
    from heedful.translator import Translator


def save_page(path: Path, translators: dict[str, Translator], sentences: Sequence[str]) -> Path:
    """Each sentence is translated by each model, and all of every head is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [
        [translator.attend(sentence, vectors="all") for sentence in sentences]
        for translator in translators.values()
    ]
    held = {
        "models": [describe(name, translator) for name, translator in translators.items()],
        "sentences": list(sentences),
        "records": [[as_data(record) for record in of_model] for of_model in records],
    }
    write_atomically(path, page(held))
    return path


def page(held: dict[str, Any]) -> str:
    """The whole file. Nothing runs in it but our own script, by its digest."""
    script, style = bundle("saved.js"), page_file("style.css")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        f"img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    # In JSON a < may be written so: no text can end the element that holds it.
    data = json.dumps(held, ensure_ascii=False).replace("<", "\\u003c")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>heedful</title>
<style>{style}</style>
</head>
<body class="heedful">
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="records">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def _digest(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"sha256-{digest}"
