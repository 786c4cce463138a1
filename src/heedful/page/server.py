"""The page of `heedful see`, served on this machine alone."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from heedful.errors import HeedfulError, InputError
from heedful.page.answers import attend, head
from heedful.page.bundle import page_file
from heedful.page.describe import describe

if TYPE_CHECKING:
    from heedful.translator import Translator

HOST = "127.0.0.1"
LONGEST = 100_000  # bytes of a question
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
FILES = {
    "/": "index.html",
    **{
        f"/{name}": name
        for name in (
            "app.js", "arcs.js", "arithmetic.js", "ask.js", "colours.js", "columns.js",
            "controls.js", "decoding.js", "dom.js", "download.js", "figure.js", "form.js",
            "grid.js", "heatmap.js", "labels.js", "legend.js", "measure.js", "pixels.js",
            "place.js", "positions.js", "record.js", "server.js", "state.js", "steps.js",
            "style.css", "table.js", "view.js", "walk.js", "walking.js",
        )
    },
}  # fmt: skip


class Answers:
    """What the page can ask of some models."""

    def __init__(self, translators: dict[str, Translator]) -> None:
        self._translators = translators
        self._lock = threading.Lock()  # one question at a time has all threads

    def models(self) -> list[dict[str, Any]]:
        """Their names, and their positions if they have some."""
        return [describe(name, translator) for name, translator in self._translators.items()]

    def attend(self, question: dict[str, Any]) -> dict[str, Any]:
        """A record of {model, source, prefix}."""
        with self._lock:
            return attend(self._translator(question), question)

    def head(self, question: dict[str, Any]) -> dict[str, Any]:
        """The queries, keys and values of {model, source, target, kind, layer, head}."""
        with self._lock:
            return head(self._translator(question), question)

    def _translator(self, question: dict[str, Any]) -> Translator:
        number = question.get("model")
        if not isinstance(number, int) or not 0 <= number < len(self._translators):
            raise InputError(
                f"model {number!r}: one of 0 to {len(self._translators) - 1} is wanted"
            )
        return list(self._translators.values())[number]


class PageServer(ThreadingHTTPServer):
    """Answers on this machine alone."""

    def __init__(self, answers: Answers, port: int) -> None:
        self.answers = answers
        super().__init__((HOST, port), Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader who has gone is no error; the terminal is not the place for the rest either."""


class Handler(BaseHTTPRequestHandler):
    """One reader's requests."""

    protocol_version = "HTTP/1.1"
    server: PageServer

    def do_GET(self) -> None:
        """The page's files, and which models there are."""
        if not self._is_meant_for_us():
            self._refuse(HTTPStatus.FORBIDDEN, "ask this machine by its own name")
        elif self.path == "/api/models":
            self._answer_json(HTTPStatus.OK, self.server.answers.models())
        elif self.path in FILES:
            name = FILES[self.path]
            ending = name[name.rindex(".") :]
            self._answer(HTTPStatus.OK, page_file(name).encode(), TYPES[ending])
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")

    def do_POST(self) -> None:
        """Questions."""
        answers = self.server.answers
        known: dict[str, Callable[[dict[str, Any]], Any]] = {
            "/api/attend": answers.attend,
            "/api/head": answers.head,
        }
        if not self._is_meant_for_us():
            self._refuse(HTTPStatus.FORBIDDEN, "ask this machine by its own name")
            return
        try:
            if self.path not in known:
                raise InputError("there is nothing here")
            self._answer_json(HTTPStatus.OK, known[self.path](self._question()))
        except HeedfulError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        except ConnectionError:
            raise
        except Exception as error:  # whatever it is, the page is told, and goes on
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, f"{type(error).__name__}: {error}")

    def _question(self) -> dict[str, Any]:
        if self.headers.get_content_type() != "application/json":
            raise InputError("a question is JSON")
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            raise InputError("a question has a length") from None
        if not 0 <= length <= LONGEST:
            raise InputError(f"a question has at most {LONGEST:,} bytes")
        try:
            question = json.loads(self.rfile.read(length))
        except (ValueError, RecursionError) as error:
            raise InputError(f"this is no JSON: {error}") from None
        if not isinstance(question, dict):
            raise InputError("a question is an object")
        return question

    def _is_meant_for_us(self) -> bool:
        """Another site that has its name point here, or sends forms here, gets nothing."""
        port = self.connection.getsockname()[1]
        here = {f"{name}:{port}" for name in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        is_ours = origin is None or origin.removeprefix("http://") in here
        return self.headers.get("Host") in here and is_ours

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """What may still be unread of the request must not be taken for the next one."""
        self.close_connection = True
        self._answer_json(status, {"error": why})

    def _answer_json(self, status: HTTPStatus, content: Any) -> None:
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        self._answer(status, text.encode("utf-8", errors="replace"), "application/json")

    def _answer(self, status: HTTPStatus, content: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(content))),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
            *([("Connection", "close")] if self.close_connection else []),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as its base has it
        """Says nothing: the terminal is the reader's."""


def make_server(answers: Answers, port: int) -> PageServer:
    """Listens, but answers nobody yet; port 0 takes any that is free."""
    try:
        return PageServer(answers, port)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"port {port} cannot be listened on ({why}): give another --port, or 0 for any that "
            f"is free"
        ) from None
