"""The page at `/`: one file of this package, sent with a policy that lets it reach only this server."""

import re
from base64 import b64encode
from hashlib import sha256
from importlib import resources

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def page() -> tuple[str, dict[str, str]]:
    """The page and its headers. Scripts are allowed by their hash; styles need attributes, for the width of bars."""
    text = resources.files("setwise.serving").joinpath("page.html").read_text(encoding="utf-8")
    hashes = [f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'" for each in _SCRIPT.findall(text)]
    policy = {
        "default-src": "'none'",
        "script-src": " ".join(hashes),
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
