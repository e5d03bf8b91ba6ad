"""Processes many requests at once, taking no more than are being worked on."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_DONE = object()


def concurrently(work: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """The result of `work` for every item, as each finishes. An exception in `work` ends the iteration and is raised
    here.

    Threads are daemons and items are handed out one per free worker, so an interrupt ends the program at once and loses
    only what is in flight.
    """
    todo: queue.Queue = queue.Queue()
    done: queue.Queue = queue.Queue()

    def loop() -> None:
        while (item := todo.get()) is not _DONE:
            try:
                done.put((work(item), None))
            except BaseException as error:
                done.put((None, error))

    threads = [threading.Thread(target=loop, daemon=True, name=f"setwise-ask-{i}") for i in range(workers)]
    for thread in threads:
        thread.start()
    source = iter(items)
    in_flight = 0
    try:
        while True:
            while in_flight < workers and (item := next(source, _DONE)) is not _DONE:
                todo.put(item)
                in_flight += 1
            if not in_flight:
                return
            result, error = done.get()
            in_flight -= 1
            if error is not None:
                raise error
            yield result
    finally:
        for _ in threads:
            todo.put(_DONE)
