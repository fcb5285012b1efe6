"""Compressed answers for clients that take gzip: descriptions shrink to a tenth."""

from __future__ import annotations

import zlib
from functools import lru_cache

from flask import Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from events.base.bounded_cache import BoundedCache

MIN_BYTES = 1024
"""Bytes from which on it is worth it."""
LEVEL, KEPT_LEVEL = 5, 9
"""Levels for an answer to one request, and for one that is kept for all."""
_GZIP_FORMAT = 16
"""Added to the bits of a window it asks zlib for gzip's format."""
_KINDS = ("text/", "application/json", "application/problem+json", "application/x-ndjson", "image/svg+xml")
_CACHE: BoundedCache[bytes] = BoundedCache(100)
"""The compressed answers that are the same for everybody, by address and tag."""


def compress(answer: Response) -> None:
    """Compress an answer for a client that takes it so, unless it is a stream: that is told as it comes."""
    if not answer.headers.get("Content-Type", "").startswith(_KINDS) or not _is_compressible(answer):
        return
    vary = answer.headers.get("Vary", "")
    if "Accept-Encoding" not in vary:
        answer.headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
    accepted = request.headers.get("Accept-Encoding", "")
    if _takes_gzip(accepted) and "Content-Encoding" not in answer.headers:
        answer.direct_passthrough = False  # a file: its bytes are wanted here
        # The tag stays: it is the seq that If-Match takes, whatever the bytes were packed in.
        answer.set_data(_get_compressed(answer))
        answer.headers["Content-Encoding"] = "gzip"


@lru_cache(100)
def _takes_gzip(accepted: str) -> bool:
    """Return True if a client with this Accept-Encoding takes gzip. There are few different ones."""
    return bool(parse_accept_header(accepted, Accept).quality("gzip"))


def _is_compressible(answer: Response) -> bool:
    """Return True if the answer has all its bytes, and enough of them."""
    if answer.status_code == 206:
        return False
    known = answer.content_length or 0
    if known:
        return known >= MIN_BYTES and (answer.direct_passthrough or not answer.is_streamed)
    return not answer.is_streamed and len(answer.get_data()) >= MIN_BYTES


def _get_compressed(answer: Response) -> bytes:
    tag, public = answer.headers.get("ETag"), "private" not in answer.headers.get("Cache-Control", "")
    key = (request.full_path, tag)
    kept = bool(tag) and public
    packed = _CACHE.get(key) if kept else None
    if packed is None:
        packed = pack_gzip(answer.get_data(), KEPT_LEVEL if kept else LEVEL)
        if kept:
            _CACHE.put(key, packed)
    return packed


def pack_gzip(data: bytes, level: int) -> bytes:
    """Return *data* in the format of gzip, with tables as large as it can use.

    To clear tables for 32 KiB takes several times as long as to compress a short answer.
    """
    bits = min(15, max(9, len(data).bit_length()))
    packer = zlib.compressobj(level, zlib.DEFLATED, _GZIP_FORMAT + bits, min(8, bits - 6))
    return packer.compress(data) + packer.flush()
