"""A record in a notebook: the page's view, as a widget. Needs the extra `notebook`."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

import anywidget
import traitlets

from heedful.errors import HeedfulError, InputError
from heedful.page.bundle import bundle, page_file
from heedful.see.pictures.alignment import draw_alignment
from heedful.see.pictures.save import write
from heedful.see.recording.record import Record

LANGUAGES = {"en": "English", "ko": "Korean"}
"""That the page speaks."""


class RecordWidget(anywidget.AnyWidget):
    """Shows one record."""

    _esm = bundle("widget.js")
    _css = page_file("style.css")
    record = traitlets.Unicode("").tag(sync=True)
    language = traitlets.Unicode("en").tag(sync=True)

    def __init__(self, record: Record, language: str) -> None:
        super().__init__(record=record.to_json(), language=language)
        self._record = record

    def __repr__(self) -> str:
        return f"{self._record.source} → {self._record.target}"

    def _repr_mimebundle_(self, **how: Any) -> Any:
        """With a picture for those who run no widgets, such as a site that shows notebooks."""
        found = super()._repr_mimebundle_(**how)
        if found is None:  # it was closed
            return None
        content, metadata = found
        return content | _picture(self._record), metadata


def widget(record: Record, language: str = "en") -> RecordWidget:
    """In English or Korean ("ko")."""
    if language not in LANGUAGES:
        known = " or ".join(f'"{code}" ({name})' for code, name in LANGUAGES.items())
        raise InputError(f"the view does not speak {language!r}; wanted {known}")
    return RecordWidget(record, language)


def _picture(record: Record) -> dict[str, str]:
    """The alignment; nothing where there is nothing to draw."""
    content = BytesIO()
    try:
        write(draw_alignment(record.by_words().alignment), content, "png")
    except HeedfulError:
        return {}
    return {"image/png": base64.b64encode(content.getvalue()).decode()}
