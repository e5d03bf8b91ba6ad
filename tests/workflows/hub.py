"""A stand-in for the hub's HTTP API on loopback, as far as creating a repository and uploading a folder go."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

TOKEN = "hf_made_up"
LARGE = (".safetensors", ".bin")


@dataclass
class Hub:
    """What it was sent."""

    address: str = ""
    repositories: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    """Large files by the sha256 they were announced with."""

    def create(self, wanted: dict[str, Any]) -> tuple[Any, int]:
        name = f"{wanted['organization']}/{wanted['name']}"
        status = 409 if name in self.repositories else 200
        self.repositories.setdefault(name, wanted)
        return {"url": f"{self.address}/{name}", "name": name, "id": "1"}, status

    def upload(self, wanted: dict[str, Any]) -> dict[str, Any]:
        return {**wanted, "actions": {"upload": {"href": f"{self.address}/large/{wanted['oid']}"}}}

    def commit(self, path: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
        for kind, value in ((line["key"], line["value"]) for line in lines):
            if kind == "file":
                self.files[value["path"]] = base64.b64decode(value["content"])
            elif kind == "lfsFile":
                content = self.large[value["oid"]]
                assert hashlib.sha256(content).hexdigest() == value["oid"]
                self.files[value["path"]] = content
        repository = "/".join(path.split("/")[3:5])
        commit = "0" * 40
        return {"commitUrl": f"{self.address}/{repository}/commit/{commit}", "commitOid": commit, "success": True}


class _Handler(BaseHTTPRequestHandler):
    hub: Hub

    def do_POST(self) -> None:
        body = self._body()
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._reply({"error": "Invalid user token."}, 401)
        elif self.path == "/api/repos/create":
            self._reply(*self.hub.create(json.loads(body)))
        elif self.path == "/api/validate-yaml":
            self._reply({"errors": [], "warnings": []})
        elif "/preupload/" in self.path:
            self._reply({"files": [_mode(each) for each in json.loads(body)["files"]]})
        elif self.path.endswith("/info/lfs/objects/batch"):
            objects = [self.hub.upload(each) for each in json.loads(body)["objects"]]
            self._reply({"transfer": "basic", "objects": objects})
        elif "/commit/" in self.path:
            self._reply(self.hub.commit(self.path, [json.loads(line) for line in body.splitlines()]))
        else:
            self._reply({"error": f"unknown: {self.path}"}, 404)

    def do_PUT(self) -> None:
        self.hub.large[self.path.rpartition("/")[2]] = self._body()
        self._reply({})

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _reply(self, value: Any, status: int = 200) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def running_hub() -> Iterator[Hub]:
    hub = Hub()
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub})) as server:
        hub.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield hub
        server.shutdown()
        thread.join()


def _mode(file: dict[str, Any]) -> dict[str, Any]:
    mode = "lfs" if file["path"].endswith(LARGE) else "regular"
    return {"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": None}
