"""Bearer tokens: recognisable, checkable without a look-up, kept only as a hash.

``rut_`` + 43 random characters + 6 characters of checksum, all base 62. 256 random bits need no slow
hash: the table keeps plain SHA-256.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib

PREFIX = "rut_"
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(r"rut_([0-9A-Za-z]{43})([0-9A-Za-z]{6})\Z")


def new_token() -> str:
    """A fresh token."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(43))
    return PREFIX + body + _checksum(body)


def is_well_formed(token: str) -> bool:
    """Whether a token may have come from here: false for typing errors and for other services' tokens."""
    found = _FORM.match(token)
    return found is not None and _checksum(found[1]) == found[2]


def token_hash(token: str) -> bytes:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode("ascii")).digest()


def _checksum(body: str) -> str:
    value = zlib.crc32(body.encode("ascii"))
    digits = ""
    for _ in range(6):
        value, digit = divmod(value, 62)
        digits = ALPHABET[digit] + digits
    return digits
