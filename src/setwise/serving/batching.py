"""Batches requests to a model in this process: one thread takes whatever is queued and asks for it together."""

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from setwise.errors import ModelError
from setwise.models import Completion, Model, Request
from setwise.serving.metrics import Histogram

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    request: Request
    loop: asyncio.AbstractEventLoop
    result: "asyncio.Future[Completion]"

    def settle(self, said: Completion | Exception) -> None:
        self.loop.call_soon_threadsafe(self._set, said)

    def _set(self, said: Completion | Exception) -> None:
        if self.result.done():
            return
        if isinstance(said, Completion):
            self.result.set_result(said)
        else:
            self.result.set_exception(said)


@dataclass(slots=True, eq=False)
class Batcher:
    """Passes requests to a model in batches. It never waits for a batch to fill."""

    model: Model
    size: int
    sizes: Histogram
    """Sizes of the batches, for the metrics."""
    waiting: deque[_Job] = field(default_factory=deque)
    _there: threading.Condition = field(default_factory=threading.Condition)
    _thread: threading.Thread | None = None
    _ended: bool = False

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, daemon=True, name="setwise-batches")
        self._thread.start()

    def stop(self) -> None:
        with self._there:
            self._ended = True
            self._there.notify()

    async def complete(self, request: Request) -> Completion:
        """The completion of one request. A request cancelled before its batch begins is never asked."""
        loop = asyncio.get_running_loop()
        job = _Job(request, loop, loop.create_future())
        with self._there:
            self.waiting.append(job)
            self._there.notify()
        return await job.result

    def _work(self) -> None:
        while batch := self._taken():
            self.sizes.observe(len(batch))
            left = self._asked(batch)
            # One request that makes the model fail must not fail the others.
            for job in left if len(batch) > 1 else ():
                self._asked([job])

    def _taken(self) -> list[_Job]:
        """The next batch: the oldest job, and later ones with the same sampling settings. Empty at the end."""
        with self._there:
            while True:
                while not self.waiting and not self._ended:
                    self._there.wait()
                if self._ended:
                    return []
                alive = [job for job in self.waiting if not job.result.done()]
                batch = [job for job in alive if job.request.sampling == alive[0].request.sampling][: self.size]
                chosen = set(map(id, batch))
                self.waiting = deque(job for job in alive if id(job) not in chosen)
                if batch:
                    return batch

    def _asked(self, batch: Sequence[_Job]) -> list[_Job]:
        """The jobs that got no reply. A job that was alone gets the failure instead."""
        jobs = {id(job.request): job for job in batch}
        failure: Exception = ModelError("the model left a request unanswered")
        try:
            for request, said in self.model.complete([job.request for job in batch]):
                jobs.pop(id(request)).settle(said)
        except Exception as error:
            _log.exception("the model failed on a batch of %d", len(batch))
            failure = error
        if len(batch) == 1:
            for job in jobs.values():
                job.settle(failure)
        return list(jobs.values())
