"""A record in a notebook: the page's view, as a widget. Needs the extra `notebook`."""

from __future__ import annotations

import anywidget
import traitlets

from heedful.page.bundle import bundle, page_file
from heedful.see.recording.record import Record


class RecordWidget(anywidget.AnyWidget):
    """Shows one record."""

    _esm = bundle("widget.js")
    _css = page_file("style.css")
    record = traitlets.Unicode("").tag(sync=True)
    language = traitlets.Unicode("en").tag(sync=True)


def widget(record: Record, language: str = "en") -> RecordWidget:
    """In English or Korean ("ko")."""
    return RecordWidget(record=record.to_json(), language=language)
