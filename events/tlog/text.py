"""The strict spelling of numbers and bytes in notes: one value, one text."""

from __future__ import annotations

import binascii
import re

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,15}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def b64(raw: bytes) -> str:
    """Standard base64 with padding.

    >>> b64(b"rutter")
    'cnV0dGVy'
    """
    return binascii.b2a_base64(raw, newline=False).decode()


def unb64(text: str, length: int | None = None) -> bytes:
    """Return the *length* bytes of a base64 *text* that encodes back to itself. ValueError otherwise.

    >>> unb64("cnV0dGVy", 6)
    b'rutter'
    """
    try:
        raw = binascii.a2b_base64(text)  # reads more than is base64: what follows does not
    except (binascii.Error, ValueError) as error:
        raise ValueError("no base64") from error
    if b64(raw) != text:
        raise ValueError("base64 that does not encode back to itself")
    if length is not None and len(raw) != length:
        raise ValueError(f"base64 of {len(raw)} bytes instead of {length}")
    return raw


def unhex(text: str, length: int) -> bytes:
    """Return the *length* bytes that *text* spells in lower-case hex. ValueError otherwise.

    >>> unhex("6f6b", 2)
    b'ok'
    """
    try:
        raw = bytes.fromhex(text)  # reads capitals and blanks too
    except ValueError:
        raw = b""
    if len(raw) != length or raw.hex() != text:
        raise ValueError(f"not {2 * length} hex digits in lower case")
    return raw


def parse_decimal(text: str) -> int:
    """Return a number without sign or leading zeros, of at most 16 digits. ValueError otherwise.

    >>> parse_decimal("120")
    120
    """
    if not _DECIMAL.fullmatch(text):
        raise ValueError("no decimal number")
    return int(text)


def check_uuid(text: str) -> str:
    """*text*, if it is a UUID in lower case. ValueError otherwise."""
    if not _UUID.fullmatch(text):
        raise ValueError("no UUID in lower case")
    return text


def escape_controls(text: str) -> str:
    r"""*text* with every control character as ``\xNN``: safe on a terminal, whatever a file says.

    >>> escape_controls("red \x1b[31m")
    'red \\x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)
