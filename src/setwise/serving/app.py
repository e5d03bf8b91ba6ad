"""The server's application: its paths and what handles each."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from setwise.errors import InputError
from setwise.models import is_served
from setwise.serving.about import PageExample, about
from setwise.serving.batching import Batcher
from setwise.serving.chat import ChatReader
from setwise.serving.desk import Desk
from setwise.serving.drift_watch import DriftWatch
from setwise.serving.endpoint import ChatEndpoint
from setwise.serving.engines import DEFAULT_BATCH, AnsweringEngine, LocalEngine
from setwise.serving.guard import Guard
from setwise.serving.limits import Limits
from setwise.serving.metrics import CONTENT_TYPE, RequestTally
from setwise.serving.model import AnswerSetModel
from setwise.serving.page import page
from setwise.serving.refusals import Refusal
from setwise.serving.upstream import UpstreamEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A model as it is served."""

    model: AnswerSetModel
    name: str
    """Its name for clients."""
    alpha: float | None = None
    """The default if a request names none."""
    examples: Sequence[PageExample] = ()
    key: str = ""
    only_loopback: bool = True
    limits: Limits = field(default_factory=Limits)
    desk: Desk = field(init=False)
    tally: RequestTally = field(default_factory=RequestTally)
    drift: DriftWatch | None = field(init=False)

    def __post_init__(self) -> None:
        profile = self.model.profile
        if self.model.reader.samples > self.limits.queue:
            rule = f"the profile's sets have {self.model.reader.samples} samples, and the queue must hold one of them"
            raise InputError(rule, place="--queue", value=self.limits.queue)
        object.__setattr__(self, "desk", Desk(self.limits.queue))
        object.__setattr__(self, "drift", None if profile is None else DriftWatch(profile))


def application(served: Served) -> Guard:
    """The ASGI application of a served model."""
    engine = _engine(served)
    has_profile = served.model.profile is not None
    chats = ChatReader(
        model=served.name,
        asking=served.model.asking,
        limits=served.limits,
        alpha=served.alpha if has_profile else None,
        samples=served.model.reader.samples,
        has_profile=has_profile,
    )
    endpoint = ChatEndpoint(chats, engine, served.model.reader, served.desk, served.limits, served.tally, served.drift)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        engine.start()
        try:
            yield
        finally:
            engine.stop()
            endpoint.merging.shutdown(wait=False)

    routes = [
        Route("/v1/chat/completions", endpoint, methods=["POST"]),
        *_plain_routes(served),
    ]
    handlers: dict[Any, Any] = {HTTPException: _told, Exception: _failed}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    return Guard(app, served.key, served.only_loopback)


def _engine(served: Served) -> AnsweringEngine:
    model = served.model
    if is_served(model.spec):
        return UpstreamEngine(model)
    size = min(getattr(model.model, "batch_size", DEFAULT_BATCH), served.limits.queue)
    return LocalEngine(model, Batcher(model.model, size, served.tally.batches), served.limits)


def _plain_routes(served: Served) -> list[Route]:
    text, headers = page()
    told = about(served.model, served.examples, name=served.name, alpha=served.alpha)
    listed = {"id": served.name, "object": "model", "created": 0, "owned_by": "setwise"}

    async def home(request: Request) -> Response:
        return HTMLResponse(text, headers=headers)

    async def models(request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [listed]})

    async def one_model(request: Request) -> Response:
        if request.path_params["name"] != served.name:
            raise HTTPException(404)
        return JSONResponse(listed)

    async def health(request: Request) -> Response:
        stopping = served.desk.closed
        return JSONResponse({"status": "stopping" if stopping else "ok"}, 503 if stopping else 200)

    async def metrics(request: Request) -> Response:
        drift = served.drift
        if drift is not None and drift.due:
            await asyncio.to_thread(drift.test)
        text = served.tally.text(served.desk.taken) + "".join(f"{line}\n" for line in (drift.lines() if drift else ()))
        return PlainTextResponse(text, headers={"Content-Type": CONTENT_TYPE})

    async def tell(request: Request) -> Response:
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    return [
        Route("/", home),
        Route("/v1/models", models),
        Route("/v1/models/{name:path}", one_model),
        Route("/v1/setwise/about", tell),
        Route("/health", health),
        Route("/metrics", metrics),
    ]


async def _told(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {404: "there is nothing at this path", 405: "this path takes another method"}
    refusal = Refusal(error.status_code, messages.get(error.status_code, error.detail))
    return JSONResponse(refusal.to_record(), error.status_code, headers=error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    """A mistake of ours. The traceback goes to the log; the client gets only this."""
    refusal = Refusal(500, "something in the server failed; its log says what", code="internal_error")
    return JSONResponse(refusal.to_record(), 500)
