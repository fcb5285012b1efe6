"""Files from people who wish the verifier ill: each gets one line that says what is bad, and no traceback."""

import bz2
import gzip
import lzma
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


def saved(mark):
    """The bundle as a program saves it that writes UTF-16 or marks of byte order."""
    return raw().decode().encode(mark)


REFUSAL = b'{"code":"unknown_game","detail":"No.","status":404,"title":"Not Found","type":"about:blank"}\n'
LATER_RULES = (
    b'{"events":1,"format":"rutter-tournament/2","games":0,"kind":"header","origin":"a","scope":"whole",'
    b'"tournament":"019a9f00-0000-7000-8000-000000000001","version":99}\n'
)


def with_format(text):
    """The bundle with another format in its header."""
    return changed(0, b'"rutter-bundle/2"', text)


def with_end(line):
    """The bundle with CR LF at the end of one line."""
    return b"".join([*lines()[: line - 1], lines()[line - 1][:-1] + b"\r\n", *lines()[line:]])


NOT_AS_SENT = {
    "packed by gzip": (lambda: gzip.compress(raw()), 2, "packed. Unpack it first: `gzip -dc FILE >"),
    "packed by bzip2": (lambda: bz2.compress(raw()), 2, "packed. Unpack it first: `bzip2 -dc"),
    "packed by xz": (lambda: lzma.compress(raw()), 2, "packed. Unpack it first: `xz -dc"),
    "packed by zip": (lambda: b"PK\x03\x04\x14\0\0\0", 2, "packed. Unpack it first: `unzip -p"),
    "packed by zstd": (lambda: b"\x28\xb5\x2f\xfd\x24\0", 2, "packed. Unpack it first: `zstd -dc"),
    "a mark of byte order": (lambda: b"\xef\xbb\xbf" + raw(), 2, "byte order mark"),
    "utf-16": (lambda: saved("utf-16"), 2, "is UTF-16 instead of UTF-8"),
    "utf-16 of the other order": (lambda: saved("utf-16-be"), 2, "is UTF-16 instead of UTF-8"),
    "utf-16 without a mark": (lambda: saved("utf-16-le"), 2, "is UTF-16 instead of UTF-8"),
    "utf-32": (lambda: saved("utf-32"), 2, "is UTF-16 instead of UTF-8"),
    "CR LF": (lambda: raw().replace(b"\n", b"\r\n"), 2, "line 1 ends with CR LF"),
    "CR LF at one line": (lambda: with_end(5), 2, "line 5 ends with CR LF"),
    "a web page": (lambda: b"<!DOCTYPE html>\n<title>502 Bad Gateway</title>\n", 2, "is a web page"),
    "a web page, indented": (lambda: b"  <html>Sign in to the hotel</html>", 2, "is a web page"),
    "a web page after an empty line": (lambda: b"\r\n<html></html>", 2, "begins with an empty line"),
    "empty lines": (lambda: b"\n" * 1_000, 2, "begins with an empty line"),
    "a refusal": (lambda: REFUSAL, 2, "a refusal of the server (404 unknown_game)"),
    "another refusal": (lambda: b'{"status": 502, "title": "Bad Gateway"}', 2, "of the server (502)"),
    "nothing": (lambda: b"", 2, "the file is empty"),
    "a later format": (lambda: with_format(b'"rutter-bundle/3"'), 3, "rutter-bundle/3, and this"),
    "an earlier format": (lambda: with_format(b'"rutter-bundle/1"'), 3, "Install the version"),
    "a format with more": (lambda: with_format(b'"rutter-bundle/12","frames":[1]'), 3, "rutter-bundle/12"),
    "tournaments, later": (lambda: LATER_RULES.replace(b"/2", b"/3"), 3, "rutter-tournament/3"),
    "tournaments, later rules": (lambda: LATER_RULES, 3, "version 99 of the rules of tournaments"),
}
"""Name: the file, the exit status, and what is said of it."""


@pytest.mark.parametrize("name", NOT_AS_SENT)
def test_files_that_are_not_as_they_were_sent(tmp_path, name):
    """Nothing was forged: the exit status is 2 or 3, and one line says what the file is and what to do."""
    make, wanted, said = NOT_AS_SENT[name]
    file, honest = tmp_path / "altered.ndjson", tmp_path / "honest.ndjson"
    file.write_bytes(make())
    honest.write_bytes(raw())
    for words in ((), KEY, (*KEY, "--partial"), (*KEY, "--require", "whole")):
        status, told = said_of("verify", file, *words)
        assert (status, told.count("\n"), said in told) == (wanted, 1, True), told
        assert told.startswith("CANNOT READ: " if wanted == 2 else "CANNOT CHECK: ")
        assert "BAD" not in told
    if "tournaments" not in name:
        assert said_of("compare", file, honest, *KEY)[0] == wanted
        assert said_of("disclose", file, "--seat", "0")[0] == wanted


def test_receipts_that_are_not_as_they_were_sent(tmp_path):
    """The same is said of a file of receipts: wrong usage, with what to do."""
    file, honest = tmp_path / "receipts.ndjson", tmp_path / "honest.ndjson"
    honest.write_bytes(raw())
    for make, _, said in (NOT_AS_SENT[name] for name in ("packed by gzip", "utf-16", "a web page")):
        file.write_bytes(make())
        status, told = said_of("verify", honest, *KEY, "--receipts", file)
        assert (status, said in told) == (2, True), told


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


@pytest.mark.parametrize("name", ["verify", "compare", "disclose", "explain", "audit"])
@pytest.mark.parametrize(
    "error", [ModuleNotFoundError("No module", name="lib"), ImportError("lib.so is broken")]
)
def test_a_command_that_cannot_be_imported_gives_no_verdict(monkeypatch, name, error):
    """Exit status 1 would say that the file is bad; what cannot be checked here is 3."""

    def refuse(module):
        raise error

    monkeypatch.setattr(cli.importlib, "import_module", refuse)
    status, said = said_of(name, "game.ndjson", "--key", "x")
    assert (status, said.startswith("CANNOT CHECK: "), "lib" in said) == (3, True, True), said


PLACES = {
    "the rules": "events.verify.creation.find_title",
    "the chain": "events.verify.hash_links.check_links",
    "the creation": "events.table.commit_reveal.redecide_creation",
    "the opening": "events.table.commit_reveal.redecide",
    "a command": "events.table.engine.decide",
    "the draws": "events.rules.draw_binding.check_draws",
    "the proofs": "events.verify.log_proofs.JudgedProofs",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "error", [ModuleNotFoundError("No module", name="lib"), ImportError("lib.so is broken")]
)
def test_a_module_that_cannot_be_imported_is_not_the_files_fault(tmp_path, monkeypatch, place, error):
    """Wherever it is missing."""

    def refuse(*_arguments, **_more):
        raise error

    file = tmp_path / "honest.ndjson"
    file.write_bytes(raw())
    assert said_of("verify", file, *KEY)[0] == 0
    monkeypatch.setattr(PLACES[place], refuse)
    status, said = said_of("verify", file, *KEY)
    assert (status, said.startswith("CANNOT CHECK: "), "lib" in said) == (3, True, True), said
