"""Files that are no audit file as it was sent: packed, saved again by a program, or something else.

Nobody forged such a file, and nothing can be said of what it should hold: its reader is told what to do.
"""

from __future__ import annotations

import re

import msgspec

from events.proof.canonical import MAX_DEPTH
from events.table import bundle
from events.tournament import bundle as tournament_bundle
from events.verify.errors import UncheckableClaim, UnreadableFile

_AGAIN = "Fetch it again as it is, such as with `curl -o FILE`"
_PACKERS = {
    b"\x1f\x8b": "gzip -dc",
    b"BZh": "bzip2 -dc",
    b"\xfd7zXZ\0": "xz -dc",
    b"\x28\xb5\x2f\xfd": "zstd -dc",
    b"PK\x03\x04": "unzip -p",
}
_UTF_8_MARK = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{", b"\0\0\0{", b"\0\0\xfe\xff")
_FORMAT = re.compile(rb'"format"\s*:\s*"(rutter-(?:bundle|tournament)/(?:0|[1-9][0-9]{0,8}))"')
_FORMATS = (bundle.FORMAT, tournament_bundle.FORMAT)
_CODE = re.compile(r"[a-z0-9_]{1,64}")


def check_first_line(line: bytes) -> None:
    """Check that a file that begins with this line can be an audit file of a format that is known here.

    Raises :class:`UnreadableFile` for one that was altered on its way or is something else, and
    :class:`UncheckableClaim` for another format than this program reads.
    """
    if reason := _find_reason(line):
        raise UnreadableFile(reason)
    if found := _FORMAT.search(line):
        name = found[1].decode()
        if name not in _FORMATS:
            raise UncheckableClaim(
                f"the file has the format {name}, and this program reads {' and '.join(_FORMATS)}. Install "
                "the version of Rutter that reads it, such as the one that its server runs"
            )


def check_line_end(line: bytes, number: int) -> None:
    """Raise :class:`UnreadableFile` for a line that ends with CR LF."""
    if line.startswith(b"{") and line.endswith(b"\r\n"):
        raise UnreadableFile(f"line {number} ends with CR LF: the file was altered on its way. {_AGAIN}")


def _find_reason(line: bytes) -> str | None:
    if not line:
        return f"the file is empty. {_AGAIN}"
    for beginning, command in _PACKERS.items():
        if line.startswith(beginning):
            return f"the file is packed. Unpack it first: `{command} FILE > game.ndjson`"
    if line.startswith(_UTF_8_MARK):
        return f"the file begins with a byte order mark: an editor saved it again. {_AGAIN}"
    if line.startswith(_UTF_16):
        return f"the file is UTF-16 instead of UTF-8: a program saved it again. {_AGAIN}"
    if not line.strip():
        return f"the file begins with an empty line: something else wrote it. {_AGAIN}"
    if line.lstrip()[:1] == b"<":
        return (
            "the file is a web page: a proxy or the server answered something else. Fetch it again, and look "
            "at the HTTP status"
        )
    check_line_end(line, 1)
    return _find_problem(line)


def _find_problem(line: bytes) -> str | None:
    """Return what is said of an answer of the API that there is no audit file; None for anything else."""
    if b'"status"' not in line or len(line) > 1 << 16 or line.count(b"{") + line.count(b"[") > MAX_DEPTH:
        return None
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(found, dict) or "kind" in found or type(found.get("status")) is not int:
        return None
    code = found.get("code")
    named = f" {code}" if isinstance(code, str) and _CODE.fullmatch(code) else ""
    return (
        f"the file is no audit file, but a refusal of the server ({found['status']}{named}). Look at the "
        "address that you fetched"
    )
