"""Bundles of tournaments as data: `rutter verify` says of each what the index says."""

import tarfile

import pytest
from click.testing import CliRunner

from ops import cli
from tests.vectors import tournaments
from tests.vectors.tournaments import writing

INDEX = tournaments.read_index()
RULES = [f"13{letter}" for letter in "abcdefghi"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with all data."""
    made = tmp_path_factory.mktemp("tournaments")
    tournaments.unpack(made)
    return made


@pytest.mark.parametrize("vector", INDEX.vectors, ids=lambda vector: vector.name)
def test_a_vector(folder, monkeypatch, vector):
    """Exit status and words are those of the index."""
    monkeypatch.chdir(folder)
    words = ["verify", vector.file, "--key", INDEX.key, *vector.options]
    result = CliRunner().invoke(cli.rutter, words)
    assert result.exit_code == vector.exit, result.output
    for said in vector.says:
        assert said in result.output
    assert len(result.output.splitlines()) == 1 or vector.exit == 0


def test_the_same_files_are_made_again():
    """The generator gives the kept bytes: nothing in them depends on time, machine or luck."""
    kept = {path.name.removesuffix(".gz") for path in tournaments.list_files()}
    made = writing.make_files()
    assert set(made) == kept
    for name, data in made.items():
        assert data == tournaments.read_file(name), f"python -m tests.vectors.tournaments ({name})"


def test_the_archive_has_all_files():
    """What the server offers is what lies here."""
    with tarfile.open(tournaments.ARCHIVE) as archive:
        packed = {
            member.name.removeprefix("tournaments/"): archive.extractfile(member).read()
            for member in archive.getmembers()
        }
    assert packed == {name: tournaments.read_file(name) for name in writing.make_files()}


def test_each_rule_has_a_forgery():
    """All parts of section 13 are shown, and there are honest tournaments as well."""
    assert {vector.rule for vector in INDEX.vectors if vector.exit == 1} >= set(RULES)
    assert sum(vector.exit == 0 for vector in INDEX.vectors) >= 15
