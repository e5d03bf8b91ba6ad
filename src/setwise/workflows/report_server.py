"""Serves a report on this machine's loopback, in a frame that reloads it when it has changed.

The report stays the file that `setwise report` writes, byte for byte. Only the frame around it is live.
"""

import json
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from re import fullmatch

from setwise.errors import InputError
from setwise.reports.page.html import REASONING_FOLDER
from setwise.workflows.report_watch import Watch

LOOPBACK = "127.0.0.1"
NOT_YET = b"<!doctype html><title>Waiting</title>"


class ReportServer(ThreadingHTTPServer):
    """Serves the frame at /, what is seen at /seen, and the report's own files. Nothing else can be read."""

    daemon_threads = True

    def __init__(self, watch: Watch, folder: Path, port: int) -> None:
        self.watch, self.folder = watch, folder
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            rule = f"the port cannot be used ({reason})"
            raise InputError(rule, place="--port", value=port, remedy="0 takes a free one") from None

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        # Another name for this address, which a page elsewhere could make a browser use, is refused.
        host = self.headers.get("Host", "").partition(":")[0]
        if host not in (LOOPBACK, "localhost"):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        found = self._content(self.path.partition("?")[0])
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        content, kind = found
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def _content(self, path: str) -> tuple[bytes, str] | None:
        assert isinstance(self.server, ReportServer)
        if path == "/":
            return (files("setwise.reports.page") / "assets" / "watch.html").read_bytes(), "text/html"
        if path == "/seen":
            return json.dumps(asdict(self.server.watch.seen)).encode(), "application/json"
        if path == "/report.html":
            page = self.server.folder / "report.html"
            return page.read_bytes() if page.is_file() else NOT_YET, "text/html"
        if fullmatch(rf"/{REASONING_FOLDER}/\d+\.js", path):
            script = self.server.folder / path[1:]
            return (script.read_bytes(), "text/javascript") if script.is_file() else None
        return None

    def log_message(self, format: str, *args: object) -> None:
        """Silent: nobody needs a line for each request of a browser."""
