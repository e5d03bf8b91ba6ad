"""Members of a zip file, including those compressed with Zstandard, which Python reads only from version 3.14 on."""

import zipfile
from pathlib import Path

from setwise.errors import InputError

ZSTANDARD = 93
_HEADER = 30
"""Bytes of a local file header before its name. The lengths of the name and of what follows it are at 26 and 28."""


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, place: Path) -> bytes:
    """The content of one member."""
    try:
        return archive.read(member)
    except NotImplementedError:
        if member.compress_type != ZSTANDARD:
            raise InputError("a compression that is not known", place=place, value=member.compress_type) from None
    return _decompressed(_raw(member, place), member.file_size, place)


def _raw(member: zipfile.ZipInfo, place: Path) -> bytes:
    with place.open("rb") as stream:
        stream.seek(member.header_offset)
        header = stream.read(_HEADER)
        name, extra = (int.from_bytes(header[at : at + 2], "little") for at in (26, 28))
        stream.seek(name + extra, 1)
        return stream.read(member.compress_size)


def _decompressed(data: bytes, size: int, place: Path) -> bytes:
    """With what is installed: pyarrow, which also reads our data, or zstandard, which comes with Inspect."""
    try:
        import pyarrow

        return pyarrow.Codec("zstd").decompress(data, decompressed_size=size, asbytes=True)
    except ImportError:
        pass
    try:
        import zstandard  # pyright: ignore[reportMissingImports]

        return zstandard.ZstdDecompressor().decompress(data, max_output_size=size)
    except ImportError:
        raise InputError(
            "the log is compressed with Zstandard, which nothing here can read",
            place=place,
            remedy="pip install 'setwise[data]', or inspect log convert --to json",
        ) from None
