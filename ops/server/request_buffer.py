"""The bytes of one HTTP/1.1 request as they arrive: it is handed on only once it is complete.

This only finds where a request ends. It judges nothing: what looks wrong here counts as whole, and the
server's parser, which reads the same bytes again, refuses it.
"""

import re

LONGEST_HEADER = 64 * 1024
"""Bytes of the request line and all headers."""
LONGEST_LINE = 8192
"""Bytes of the request line, and of a line that tells the size of a chunk."""

_END_OF_HEAD = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([^\r\n]*)", re.IGNORECASE)
_CODING = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked[ \t]*(?=\r\n)", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*(?=\r\n)", re.IGNORECASE)


class RequestTooLong(Exception):
    """More bytes than any request needs; the argument is the status code of the refusal."""


class RequestBuffer:
    """The part of a request that has arrived.

    Args:
        largest_body: a body of more bytes than this is whole as soon as that is known: it will be refused.
    """

    def __init__(self, largest_body: int) -> None:
        self._largest = largest_body
        self.clear()

    def clear(self) -> None:
        """Begin with the next request."""
        self.data = bytearray()
        self.asks_to_continue = False
        """True if the client waits for the word to send its body (RFC 9110, 10.1.1)."""
        self._searched = 0
        self._body: int | None = None
        """Where the body begins; None until the head is there."""
        self._end: int | None = None
        """Where the request ends; None while that is not known."""
        self._chunk = 0
        """Where the next line that tells the size of a chunk begins."""
        self._payload = bytearray()
        """The body of the chunks that are there."""
        self.is_cut = False
        """True if more of the body may come than anybody will read: the connection is of no further use."""

    def add(self, data: bytes) -> None:
        """Add bytes that have arrived.

        Raises:
            TooLong: and the request has no end yet.
        """
        self.data += data
        if self._body is None:
            self._read_head()
        elif self._end is None:
            self._read_chunks()
        self.asks_to_continue &= not self.is_whole

    @property
    def is_whole(self) -> bool:
        """True if the request is here, or as much of it as its refusal needs."""
        return self._end is not None and len(self.data) >= self._end

    def request(self) -> bytes:
        """Return the request, for the parser; a body in chunks as a single one.

        The parser copies what is left once for each chunk: a million tiny ones would keep it busy for hours.
        """
        if not self._payload:
            return bytes(self.data)
        head = bytes(self.data[: self._body])
        rest = b"0\r\n\r\n" if self.is_cut else bytes(self.data[self._chunk :])
        return b"%s%x\r\n%s\r\n%s" % (head, len(self._payload), bytes(self._payload), rest)

    def strip_expectation(self) -> None:
        """Drop the expectation: the client was told to go on, and nobody must tell it again."""
        before = len(self.data)
        head = _EXPECT.sub(b"", bytes(self.data[: self._body]))
        self.data[: self._body] = head
        shorter = before - len(self.data)
        self._body = len(head)
        self._chunk -= shorter
        self._end = None if self._end is None else self._end - shorter
        self.asks_to_continue = False

    def _read_head(self) -> None:
        place = self.data.find(_END_OF_HEAD, max(0, self._searched - 3))
        self._searched = len(self.data)
        if place >= 0:
            self._body = self._chunk = place + len(_END_OF_HEAD)
            self._frame(bytes(self.data[: place + 2]))
        elif b"\r\n" not in self.data[: LONGEST_LINE + 2] and len(self.data) > LONGEST_LINE:
            raise RequestTooLong(414)
        elif len(self.data) > LONGEST_HEADER:
            raise RequestTooLong(431)

    def _frame(self, head: bytes) -> None:
        """Find the end of the body from the head."""
        assert self._body is not None  # noqa: S101 - only now known
        self._end = self._body
        lengths, coded = [length.strip() for length in _LENGTH.findall(head)], bool(_CODING.search(head))
        if coded and not lengths and _CHUNKED.search(head):
            self._end = None
            self._read_chunks()
        elif not coded and len(lengths) == 1 and re.fullmatch(rb"[0-9]{1,9}", lengths[0]):
            length = int(lengths[0])
            self._end = self._body + (length if length <= self._largest else 0)
        self.asks_to_continue = bool(_EXPECT.search(head))

    def _read_chunks(self) -> None:
        """Follow the chunks as far as they are there."""
        while self._end is None and (line := self._line(self._chunk)) is not None:
            size = line.partition(b";")[0].strip()
            if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", size):
                self._end = self._chunk
            elif len(self.data) - len(self._payload) > LONGEST_HEADER + 4 * self._largest:
                raise RequestTooLong(413)
            elif int(size, 16):
                if not self._next_chunk(self._chunk + len(line) + 2, int(size, 16)):
                    return
            else:
                self._read_trailers(self._chunk + len(line))
                return

    def _next_chunk(self, begins: int, size: int) -> bool:
        """Take this chunk and return True if it is there, so that the next one can be looked at."""
        here = len(self.data) - begins
        if len(self._payload) + min(here, size) > self._largest:
            self._payload += self.data[begins : begins + size]
            self._end, self.is_cut = begins, True
            return False
        if here < size + 2:
            return False
        ends = begins + size
        if self.data[ends : ends + 2] != b"\r\n":
            self._end = self._chunk
            return False
        self._payload += self.data[begins:ends]
        self._chunk = ends + 2
        return True

    def _read_trailers(self, begins: int) -> None:
        end = self.data.find(_END_OF_HEAD, begins)
        if end >= 0:
            self._end = end + len(_END_OF_HEAD)
        elif len(self.data) - begins > LONGEST_HEADER:
            raise RequestTooLong(431)

    def _line(self, begins: int) -> bytes | None:
        end = self.data.find(b"\r\n", begins, begins + LONGEST_LINE)
        if end >= 0:
            return bytes(self.data[begins:end])
        if len(self.data) - begins > LONGEST_LINE:
            raise RequestTooLong(400)
        return None
