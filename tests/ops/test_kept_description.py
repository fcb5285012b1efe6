"""The API's description is kept from one start to the next, and never longer than the program is the same."""

from __future__ import annotations

import pytest

from events.base.settings import RUTTER_DATA
from ops.server import program_files, wsgi
from ops.server.program_files import hash_program
from service.api import openapi_document
from service.base.kept_text import KeptText

TEXT = b'{"openapi": "3.1.0"}\n' * 3


@pytest.fixture
def kept(tmp_path):
    kept = KeptText(tmp_path / "text", "one")
    kept.write(TEXT)
    return kept


def test_a_text_is_read_back_as_it_was_written(kept):
    assert kept.read() == TEXT
    assert [path.name for path in kept.path.parent.iterdir()] == ["text"]


def test_a_text_under_another_key_is_none(kept):
    assert KeptText(kept.path, "two").read() is None


@pytest.mark.parametrize("cut", [0, 1, 64, 65, -1])
def test_a_text_of_which_a_part_is_lost_is_none(kept, cut):
    kept.path.write_bytes(kept.path.read_bytes()[:cut])
    assert kept.read() is None


def test_a_text_that_was_changed_is_none(kept):
    kept.path.write_bytes(kept.path.read_bytes().replace(b"3.1.0", b"3.1.1"))
    assert kept.read() is None


def test_a_text_that_cannot_be_written_is_none_and_no_fault(tmp_path):
    kept = KeptText(tmp_path / "missing" / "text", "one")
    kept.write(TEXT)
    assert kept.read() is None


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A program of two files."""
    folder = tmp_path / "program_at_work"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "inner" / "rules.toml").write_text("dice = 1")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(program_files, "PACKAGES", (folder.name,))
    return folder


def test_the_hash_of_a_program_is_the_same_twice(package):
    assert hash_program() == hash_program()


def test_the_hash_changes_with_a_file_whatever_its_times(package):
    before, path = hash_program(), package / "inner" / "rules.toml"
    times = path.stat()
    path.write_text("dice = 2")
    program_files.os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert hash_program() != before


def test_the_hash_changes_with_the_name_of_a_file(package):
    before = hash_program()
    (package / "inner" / "rules.toml").rename(package / "inner" / "words.toml")
    assert hash_program() != before


def test_the_hash_changes_with_the_version_and_the_record_of_a_library(package):
    hashes = [hash_program()]
    library = package.parent / "library-1.1.dist-info"
    library.mkdir()
    for record in (None, "module.py,sha256=AAAA,1", "module.py,sha256=BBBB,1"):
        if record:
            (library / "RECORD").write_text(record)
        hashes.append(hash_program())
    assert len(set(hashes)) == 4


def test_the_hash_changes_with_python(package, monkeypatch):
    before = hash_program()
    monkeypatch.setattr(program_files.sys, "version", "4.0")
    assert hash_program() != before


@pytest.fixture
def starts(monkeypatch, tmp_path):
    """Start so often; how often the description was written."""
    written = []

    def write(_self):
        written.append(TEXT)
        return TEXT

    def start():
        monkeypatch.setattr(openapi_document, "_DOCUMENTS", {})
        wsgi.prepare()
        return len(written)

    monkeypatch.setenv(RUTTER_DATA.name, str(tmp_path))
    monkeypatch.setattr(openapi_document.Api, "_write_document", write)
    monkeypatch.setattr(wsgi, "has_others", lambda: False)  # the tests have one
    return start


def test_the_second_start_reads_what_the_first_has_written(starts):
    assert starts() == 1
    assert starts() == 1
    [(text, _)] = openapi_document._DOCUMENTS.values()
    assert text == TEXT


def test_another_program_writes_the_description_again(starts, monkeypatch):
    assert starts() == 1
    monkeypatch.setattr(wsgi, "hash_program", lambda: "another")
    assert starts() == 2


def test_other_engines_are_another_description(starts, monkeypatch):
    assert starts() == 1
    monkeypatch.setattr(openapi_document.Api, "describe_settings", lambda _self: "another engine")
    assert starts() == 2


def test_with_titles_of_others_the_description_is_written_each_time(starts, monkeypatch):
    """Of these nobody knows all files."""
    monkeypatch.setattr(wsgi, "has_others", lambda: True)
    assert starts() == 1
    assert starts() == 2


def test_without_a_data_folder_the_description_is_written_each_time(starts, monkeypatch):
    monkeypatch.delenv(RUTTER_DATA.name)
    assert starts() == 1
    assert starts() == 2
