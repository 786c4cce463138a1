"""All that a running server has, made once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heedful.machine import check_threads, granted_cores
from heedful.serve.batching import Batcher
from heedful.serve.desk import Desk
from heedful.serve.guard.admission import Admission
from heedful.serve.metrics import Metrics
from heedful.serve.models import Backends, Models
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused
from heedful.serve.shelf import Shelf
from heedful.serve.troubles import Troubles
from heedful.serve.worker.client import Worker

log = logging.getLogger("heedful.serve")
READY = 1  # full batches that lie before the fast engine's workers


class Server:
    """Its models, its queues, and who may ask."""

    def __init__(self, runs: Sequence[Path], options: ServeOptions) -> None:
        check_threads(options.threads)
        threads = options.threads or granted_cores()
        self.options = options
        self.metrics = Metrics(lambda: self._fast.waiting + self._slow.waiting)
        self.admission = Admission(options)
        self.worker = Worker(options.threads)
        self.desk = Desk(options.files)
        self.shelf = Shelf(room=10 * options.file)
        self._renewing = asyncio.Lock()
        self._troubles = Troubles()
        self._pool = ThreadPoolExecutor(threads + READY, thread_name_prefix="search")
        self._fast = self._batcher(threads, ready=READY)
        self._slow = self._batcher(1, stops=True)
        self.models = Models(
            runs, options, Backends(self._pool, self._fast, self._slow, self.worker)
        )

    def _batcher(self, workers: int, *, ready: int = 0, stops: bool = False) -> Batcher:
        return Batcher(
            workers=workers,
            ready=ready,
            most=self.options.queue,
            seconds=self.options.deadline / 2,
            stops=stops,
            on_batch=self.metrics.batch.note,
        )

    def check_amount(self, texts: list[str], prefix: str = "") -> None:
        """Refused if there are too many, or too much."""
        options = self.options
        if len(texts) > options.texts:
            raise Refused(400, f"Invalid request: {len(texts)} texts, {options.texts} at most")
        characters = sum(map(len, texts)) + len(prefix)
        if characters > options.characters:
            raise Refused(
                400,
                f"Invalid request: request ({characters}) exceeds text limit "
                f"({options.characters})",
            )
        self.metrics.characters += characters
        if options.log_texts:
            log.info("asked for: %s", texts)

    async def renew(self) -> bool:
        """Takes up what has changed on disk: models, keys. Whether all is well."""
        async with self._renewing:
            for renew in (self.models.take_up_new, self._read_keys):
                try:
                    await renew()
                    self._troubles.end(renew)
                except Exception as error:  # what we have is served on, and looked for again
                    why = f"{type(error).__name__}: {error}"
                    self._troubles.tell(renew, f"nothing new is taken up: {why}")
        return not (self._troubles or self.models.troubles)

    async def _read_keys(self) -> None:
        self.admission.read_keys()

    async def close(self) -> None:
        """When all is answered."""
        await self.worker.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
