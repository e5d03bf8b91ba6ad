"""A stand-in for a model's server: it answers every question with that question's number, after about a given time.

`python upstream.py PORT DELAY_MS`. GET /count returns how many completions it has given.
"""

import asyncio
import json
import sys
import zlib
from typing import Any

import httptools
import uvloop

ANSWER = "<think>a case</think>" + "".join(
    f"<answer{place}>{{question}} {place}</answer{place}><confidence{place}>{q}</confidence{place}>"
    for place, q in enumerate((0.6, 0.3, 0.1), 1)
)


class Upstream(asyncio.Protocol):
    """As little as a server can do, so that the measurement shows what is in front of it."""

    given = 0
    delay_seconds = 0.0

    def connection_made(self, transport: Any) -> None:
        self.transport, self.parser, self.parts = transport, httptools.HttpRequestParser(self), []

    def data_received(self, data: bytes) -> None:
        self.parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        self.parts.append(body)

    def on_message_complete(self) -> None:
        body, self.parts = b"".join(self.parts), []
        if not body:
            self._send({"count": Upstream.given})
            return
        Upstream.given += 1
        question = json.loads(body)["messages"][-1]["content"]
        message = {"role": "assistant", "content": ANSWER.format(question=question)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 30, "total_tokens": 39}
        said = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
        # Half to one and a half times the delay, depending on the question: equal delays would keep all answers in
        # step.
        share = 0.5 + zlib.crc32(question.encode()) % 1000 / 1000
        asyncio.get_running_loop().call_later(share * self.delay_seconds, self._send, said)

    def _send(self, record: dict[str, Any]) -> None:
        body = json.dumps(record).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.transport.write(head.encode() + body)


async def main(port: int, delay_ms: float) -> None:
    Upstream.delay_seconds = delay_ms / 1000
    server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", port, backlog=1024)
    print("ready", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), float(sys.argv[2])))
