"""The page at `/`: one file of this package, sent with a policy that lets it reach this server and nothing else."""

import re
from base64 import b64encode
from hashlib import sha256
from importlib import resources

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_MISSING = "<!doctype html><title>setwise</title><p>This build has no page. Ask at /v1/chat/completions."


def page() -> tuple[str, dict[str, str]]:
    """The page and its headers. Scripts are allowed by their hash; styles need attributes, for the width of bars."""
    file = resources.files("setwise.serving").joinpath("page.html")
    text = file.read_text(encoding="utf-8") if file.is_file() else _MISSING
    hashes = [f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'" for each in _SCRIPT.findall(text)]
    policy = {
        "default-src": "'none'",
        "script-src": " ".join(hashes) or "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    headers = {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    return text, headers
