"""What does a request cost before anything is translated, beside FastAPI and Starlette?

    python benchmarks/dispatch.py [rounds]

One app of each kind with one endpoint: JSON with a text and two languages comes in, JSON with the
text goes out. Each is called as a server would call it, without a socket, some thousand times in
turn; medians. heedful's has its limits, counters and headers around it, which the others lack.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from common import keep
from environments import python_of

CALL = """
import asyncio, json, sys, time
body = json.dumps({"q": "A dog runs.", "source": "en", "target": "de"}).encode()
headers = [(b"host", b"x"), (b"content-type", b"application/json"),
           (b"content-length", str(len(body)).encode())]
asked = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
         "path": "/translate", "raw_path": b"/translate", "root_path": "", "scheme": "http",
         "query_string": b"", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2)}
async def receive():
    return {"type": "http.request", "body": body, "more_body": False}
async def call(app, times):
    async def send(message):
        sent.append(message)
    started = time.perf_counter()
    for _ in range(times):
        sent = []
        await app({**asked, "headers": headers}, receive, send)
    took = time.perf_counter() - started
    assert sent[0]["status"] == 200 and b"A dog runs." in sent[1]["body"]
    return 1e6 * took / times
for _ in sys.stdin:
    found = {name: asyncio.run(call(app, 3000)) for name, app in apps.items()}
    print(json.dumps(found), flush=True)
"""

OTHERS = """
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
class Question(BaseModel):
    q: str
    source: str
    target: str
fast = FastAPI()
@fast.post("/translate")
async def translate(question: Question):
    return {"translatedText": question.q}
async def answer(request):
    return JSONResponse({"translatedText": (await request.json())["q"]})
plain = Starlette(routes=[Route("/translate", answer, methods=["POST"])])
apps = {"FastAPI": fast, "Starlette": plain}
"""

OURS = """
from heedful.serve.app import App
from heedful.serve.guard.admission import Admission
from heedful.serve.http.edge import Edge, Plain
from heedful.serve.http.endpoint import Endpoint
from heedful.serve.http.fields import read_fields, text_field
from heedful.serve.metrics import Metrics
from heedful.serve.options import ServeOptions
async def answer(request):
    fields = await read_fields(request)
    text_field(fields, "source"), text_field(fields, "target")
    return Plain({"translatedText": text_field(fields, "q")})
options = ServeOptions()
app = App([Endpoint("POST", "/translate", answer)], Admission(options))
apps = {"heedful": Edge(app, options, Metrics(lambda: 0))}
"""


class Apps:
    """Some of them, in a process of its own."""

    def __init__(self, python: str, program: str) -> None:
        self._process = subprocess.Popen(
            [python, "-c", program + CALL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measured(self) -> dict[str, float]:
        """Microseconds a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        found: dict[str, float] = json.loads(self._process.stdout.readline())
        return found

    def stop(self) -> None:
        """No more is asked."""
        self._process.communicate()


def main() -> None:
    """In turn."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    members = [Apps(str(python_of("fastapi")), OTHERS), Apps(sys.executable, OURS)]
    for member in members:
        member.measured()  # the first time is not the usual one
    found = [
        {name: us for m in members for name, us in m.measured().items()} for _ in range(rounds)
    ]
    for member in members:
        member.stop()
    medians = {name: round(statistics.median(row[name] for row in found)) for name in found[0]}
    keep("dispatch", {f"{name}, microseconds a request": us for name, us in medians.items()})


if __name__ == "__main__":
    main()
