"""Many requests at a time, each with its own question, so that answers can be told apart."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

import uvloop

from setwise.serving.connections import Connections

HEADERS = {"Content-Type": "application/json"}


@dataclass
class Measured:
    """The result of a load."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    answered: set[int] = field(default_factory=set)
    wrong: int = 0
    """Answers with an error status, or to another question."""

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def median_ms(self) -> float:
        return 1000 * median(self.latencies)

    @property
    def p99_ms(self) -> float:
        return 1000 * quantiles(self.latencies, n=100)[98]


def load(url: str, requests: int, at_once: int, **fields: Any) -> Measured:
    """Ask `requests` questions of the server at a base URL, `at_once` at a time."""
    return uvloop.run(_load(url, requests, at_once, fields))


async def _load(url: str, requests: int, at_once: int, fields: dict[str, Any]) -> Measured:
    connections, measured, numbers = Connections(url), Measured(), iter(range(requests))

    async def ask_on() -> None:
        for number in numbers:
            question = f"case {number} of many"
            body = json.dumps({"messages": [{"role": "user", "content": question}], **fields}).encode()
            began = time.perf_counter()
            async with connections.posted("/chat/completions", body, HEADERS) as connection:
                said = b"".join([part async for part in connection.body()])
            measured.latencies.append(time.perf_counter() - began)
            _check(measured, number, question, connection.status, said)

    began = time.perf_counter()
    await asyncio.gather(*(ask_on() for _ in range(at_once)))
    measured.seconds = time.perf_counter() - began
    connections.close()
    return measured


def _check(measured: Measured, number: int, question: str, status: int, said: bytes) -> None:
    """Our answer names its question, and the upstream's reply begins with it."""
    own = json.loads(said).get("setwise")
    mixed = own and (own["question"] != question or any(question not in each["answer"] for each in own["answers"]))
    if status != 200 or mixed or number in measured.answered:
        measured.wrong += 1
    else:
        measured.answered.add(number)
