"""Files from people who wish the verifier ill: each gets one line that says what is bad, and no traceback."""

import gzip
from functools import cache

import pytest
from click.testing import CliRunner

from ops import cli
from tests.events.forging import SIGNER, Table

KEY = ("--key", SIGNER.vkey)
NUL, SURROGATE = rb"\u0000", rb"\ud800"


@cache
def lines():
    """An honest bundle."""
    return tuple(Table(seats=(None, None), commits=[0, 1], reveals=[0, 1]).begin().play().lines())


def changed(at, old, new):
    """The bundle with one line changed."""
    told = list(lines())
    assert old in told[at]
    told[at] = told[at].replace(old, new, 1)
    return b"".join(told)


def events(text):
    """The bundle with another number of events in its header."""
    return changed(0, b'"events":%d' % (len(lines()) - 2), b'"events":' + text)


def raw():
    return b"".join(lines())


FILES = {
    "half a file": lambda: raw()[: len(raw()) // 2],
    "without its receipt": lambda: b"".join(lines()[:-1]),
    "packed": lambda: gzip.compress(raw()),
    "utf-16": lambda: raw().decode().encode("utf-16"),
    "a mark of byte order": lambda: b"\xef\xbb\xbf" + raw(),
    "twice one file": lambda: raw() * 2,
    "two headers": lambda: lines()[0] + raw(),
    "two receipts": lambda: raw() + lines()[-1],
    "no event where one should be": lambda: b"".join([lines()[0], lines()[2], lines()[1], *lines()[3:]]),
    "a member twice in the header": lambda: changed(0, b'{"events"', b'{"events":1,"events"'),
    "a member twice in an event": lambda: changed(3, b'"kind":"event"', b'"kind":"event","kind":"event"'),
    "two bodies": lambda: changed(3, b'{"body":', b'{"body":"x","body":'),
    "a zero byte": lambda: changed(3, b'"kind"', b'\0"kind"'),
    "a zero byte in a text": lambda: changed(0, b"example", b"exa\0mple"),
    "a zero in a body": lambda: changed(3, b"sys", b"s" + NUL),
    "no utf-8": lambda: changed(0, b"example", b"ex\xffample"),
    "no utf-8 in a body": lambda: changed(1, b"sys", b"s\xc3s"),
    "a letter spelt too long": lambda: changed(1, b"sys", b"s\xc0\xafs"),
    "a receipt with half a letter": lambda: changed(-1, b"rutter/receipt", SURROGATE + b"rutter/receipt"),
    "a receipt with a zero": lambda: changed(-1, b"rutter/receipt", NUL + b"rutter/receipt"),
    "a receipt of great length": lambda: changed(-1, b"rutter/receipt", b"r" * 900_000),
    "a receipt that is a number": lambda: b"".join(lines()[:-1]) + b'{"kind":"receipt","note":5}\n',
    "five thousand digits": lambda: events(b"9" * 5_000),
    "half a million digits": lambda: events(b"9" * 500_000),
    "fewer than none": lambda: events(b"-1"),
    "a fraction": lambda: events(b"41.0"),
    "beyond all numbers": lambda: events(b"1e400"),
    "not a number": lambda: events(b"NaN"),
    "a number of an event of twenty digits": lambda: changed(3, b'"n":3', b'"n":' + b"3" * 20),
    "a text full of brackets": lambda: changed(0, b'"example"', b'"' + b"[" * 500 + b'"'),
    "a million brackets": lambda: b'{"a":' + b"[" * 1_000_000 + b"\n",
    "objects in objects": lambda: b'{"a":' * 170_000 + b"\n",
    "a line of three megabytes": lambda: b'{"a":"' + b"x" * 3_000_000 + b'"}\n',
    "zeros": lambda: b"\0" * 2_000_000,
    "empty lines": lambda: b"\n" * 1_000,
    "null": lambda: b"null\n",
    "a picture": lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
    "an unknown kind of line": lambda: raw() + b'{"kind":"more"}\n',
    "a proof that is none": lambda: raw() + b'{"kind":"proof","n":3,"proof":"x"}\n',
    "a timestamp of no proof": lambda: raw() + b'{"kind":"timestamp","n":3,"token":"AAAA"}\n',
    "evidence of nothing": lambda: b'{"kind":"equivocation"}\n',
    "evidence with brackets": lambda: b'{"kind":"equivocation","a":' + b"[" * 100_000 + b"\n",
    "evidence of another game": lambda: (
        b'{"before":"00","game":"x","kind":"equivocation","n":1,"origin":"x"}\n' + lines()[1]
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_hostile_files(tmp_path, name):
    """As a whole bundle, as a copy, as what a receipt or a policy is read from: never more than one line."""
    file, honest = tmp_path / "hostile.ndjson", tmp_path / "honest.ndjson"
    file.write_bytes(FILES[name]())
    honest.write_bytes(raw())
    for words in ((), ("--partial",)):
        status, said = said_of("verify", file, *KEY, *words)
        assert (status, said[:5], said.count("\n")) == (1, "BAD: ", 1), said[:300]
        assert len(said) < 600
        assert said[:-1].isprintable()
        assert "cannot be checked (" not in said, "no exception of the verifier itself"
    assert said_of("verify", honest, *KEY, "--receipts", file)[0] in (0, 1, 2)
    assert said_of("verify", honest, *KEY, "--policy", file)[0] == 2


def said_of(*words):
    """Exit status and output."""
    result = CliRunner().invoke(cli.rutter, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output
