"""Hidden parts that are shown: whose they may be, their form, their digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from events.proof import canonical
from events.table.bundle import BadBundle, Header
from events.table.record import COMMAND_PART, Part, Record, may_open
from events.verify.bodies import BodyChecker, InvalidForm, check_b64, check_command
from events.verify.form import RawEventLine, decode_canonical


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    body: msgspec.Raw
    salt: str


_PARTS = msgspec.json.Decoder(dict[str, _Part])


class PartReader:
    """Makes records of the lines of one bundle, after all that can be seen of a line alone."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self.bodies = BodyChecker(header.game, header.version, header.events, whole=header.scope == "whole")

    def read_record(self, line: RawEventLine, digest: bytes, raw: bytes) -> Record:
        """Return the record of an event from its *line*, its hash, and the line as it stands.

        Raises :class:`BadBundle`.
        """
        text = line.body.encode()
        body = self.bodies.check_body(text, line.n)
        parts, again = self._read_parts(line, body.get("hid", {}))
        hashed = b'","kind":"event","n":%d' % line.n
        if (
            b'{"body":' + canonical.encode(line.body) + b',"hash":"' + line.hash.encode() + hashed + again
            != raw
        ):
            raise BadBundle(line.n, "its line is not canonical")
        return Record(line.n, body["t"], text, digest, body["cmd"], parts)

    def _read_parts(self, line: RawEventLine, digests: Mapping[str, str]) -> tuple[dict[str, Part], bytes]:
        """Return the parts of a line, and the end of that line as it must be spelt."""
        given = self._decode_parts(line)
        if self._header.scope == "whole" and set(given) != set(digests):
            raise BadBundle(line.n, _describe_difference(set(given), set(digests)))
        parts, spelt = {}, []
        for name in sorted(given):
            part = self._check_part(line.n, name, given[name], digests.get(name))
            parts[name] = part
            spelt.append(
                b'"%b":{"body":%b,"salt":"%b"}' % (name.encode(), part.body, given[name].salt.encode())
            )
        return parts, b',"parts":{' + b",".join(spelt) + b"}}\n" if spelt else b"}\n"

    def _decode_parts(self, line: RawEventLine) -> dict[str, _Part]:
        raw = bytes(line.parts)
        if not raw:
            return {}
        try:
            return _PARTS.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadBundle(line.n, f"its hidden parts are damaged: {error}") from error

    def _check_part(self, n: int, name: str, given: _Part, digest: str | None) -> Part:
        if digest is None:
            raise BadBundle(n, f"a hidden part without a digest: {name}")
        if self._header.scope == "seat" and not may_open(name, self._header.seat):
            raise BadBundle(n, f"the hidden part {name} is not for the seat of this copy")
        body = bytes(given.body)
        value: Any = decode_canonical(body, f"the hidden part {name}", n)
        if not isinstance(value, dict):
            raise BadBundle(n, f"the hidden part {name} is not an object")
        try:
            if name.endswith(COMMAND_PART):
                check_command(value)
            salt = check_b64(given.salt, 32, f"the salt of {name}")
        except InvalidForm as problem:
            raise BadBundle(n, str(problem)) from problem
        if canonical.part_digest(salt, body) != digest:
            raise BadBundle(n, f"the hidden part {name} does not fit its digest")
        return Part(salt, body)


def _describe_difference(given: set[str], wanted: set[str]) -> str:
    missing, surplus = sorted(wanted - given), sorted(given - wanted)
    if missing:
        return f"the hidden part {missing[0]} is missing"
    return f"hidden parts without a digest: {', '.join(surplus)}"
