"""Texts as numbers: equal texts have equal keys, in every process."""

from hashlib import blake2b


def key_of(*parts: str) -> int:
    """A signed 64-bit number.

    >>> key_of("set", "gout") == key_of("set", "gout"), key_of("set", "gout") == key_of("set", "flu")
    (True, False)
    """
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
