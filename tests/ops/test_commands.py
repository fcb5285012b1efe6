"""The commands with a module of their own, as a user calls them."""

import json
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from events.rules.catalogue import title_ids
from ops import cli
from ops.benchmark.core import play_random_game
from ops.benchmark.rows import Row
from ops.cli.dev import reference
from ops.cli.dev.bench import command
from tests.titles import golden

GOLDEN = "colonial_empires"


def call(*words):
    return CliRunner().invoke(cli.rutter, list(words))


@pytest.fixture
def bundle(tmp_path):
    """The audit bundle of a recorded game."""
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"".join(golden.bundle_of(GOLDEN)))
    return file


def test_help_names_every_command():
    """Each command stands in one section, with a sentence that is not cut."""
    said = call("--help").output
    listed = [name for commands in cli.SECTIONS.values() for name in commands]
    assert sorted(listed) == cli.rutter.list_commands(click.Context(cli.rutter))
    for commands in cli.SECTIONS.values():
        for name, sentence in commands.items():
            assert f"  {name} " in said
            assert f"  {sentence}\n" in said
    assert "..." not in said.replace("[ARGS]...", "")
    assert "not installed" not in said


def test_help_says_what_is_not_installed(monkeypatch):
    """Without what the server needs, `--help` names what installs it."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "Install them with `ops/install server`." in " ".join(call("--help").output.split())


def list_commands(group=cli.rutter, words=()):
    """The words of all commands, and of those of groups."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        yield (*words, name)
        if isinstance(found, click.Group):
            yield from list_commands(found, (*words, name))


@pytest.mark.parametrize("words", list(list_commands()), ids=" ".join)
def test_help_reads_whole(words):
    """It begins with the command as users call it; no sentence is cut, and no mark of click's shows."""
    said = call(*words, "--help").output
    assert said.startswith(f"Usage: rutter {' '.join(words)} ")
    assert "\\b" not in said
    assert "\b" not in said
    usage, _, text = said.partition("\n\n")
    assert "..." not in " ".join(text.split()).replace(", ...", ""), usage


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["verify"], "    0  OK: everything is correct, and a key that you named signed it\n"),
        (["replay"], "  missing   something that the game needs is not installed"),
        (["witness", "serve"], "  POST /drop                         a contribution"),
    ],
)
def test_lists_in_help_keep_their_lines(words, line):
    assert line in call(*words, "--help").output


def test_the_page_of_the_commands_is_fresh():
    """`ops/rutter reference` writes it again."""
    assert reference.PAGE.read_text(encoding="utf-8") == reference.make_page()


def test_the_program_calls_itself_rutter():
    """However it was started."""
    run = subprocess.run(
        [sys.executable, "-m", "ops", "verify", "-h"], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("Usage: rutter verify ")


def test_verify_says_what_holds(bundle):
    """A sound bundle: exit status 0, the winner and the bots' moves are named."""
    result = call("verify", str(bundle), "--key", golden.SIGNER.vkey, "--bots")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("OK: colonial_empires 2")
    assert " moves recomputed, 0 fallbacks" in result.output
    assert "NOT recomputed" not in result.output
    assert "won by seat" in result.output


def test_verify_names_the_first_bad_event(bundle):
    """A damaged bundle: exit status 1, and the event is named."""
    lines = bundle.read_text().splitlines()
    del lines[17]
    bundle.write_text("".join(f"{line}\n" for line in lines))
    result = call("verify", str(bundle))
    assert result.exit_code == 1
    assert "BAD: event 17: expected event 17, found event 18" in result.output


@pytest.mark.parametrize("key", ["rutter.example/log+0+AA==", "xyz"])
def test_verify_with_another_key(bundle, key):
    """Another key than the signer's, or no key at all, is told."""
    assert call("verify", str(bundle), "--key", key).exit_code != 0


def test_vectors_that_hold(tmp_path):
    """Exit status 0 and a closing count."""
    file = tmp_path / "one.yaml"
    file.write_text("- {id: ONE, title: colonial_empires, given: {seats: 3}, then: {position: {seats: 3}}}\n")
    result = call("vectors", str(file))
    assert (result.exit_code, result.output) == (0, "1 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- {id: ONE, title: colonial_empires, then: {position: {seats: 9}}}", "expected 9, got 2"),
        ("- {id: ONE, title: no_such_title}", "no such title"),
        ("- {id: ONE, title: colonial_empires, whn: []}", "unknown key"),
        ("- {id: ONE, title: colonial_empires, given: {seats: 99}}", "ONE"),
        ("- {id: ONE, title: colonial_empires, given: {options: {no_such: 1}}}", "no_such"),
        ("- {id: ONE, title: colonial_empires, when: [{seat: 0, command: {type: dance}}]}", "dance"),
        ("- {id: ONE, title: colonial_empires, when: [{seat: 0}]}", "command"),
        ("- {id: ONE, title: colonial_empires, given: {set: {treasury: {7: 1}}}}", "no element 7"),
        ("- {id: ONE, title: colonial_empires, given: {chance: [china_tea]}}", "none of the options"),
        ("- 5", "malformed"),
        ("- {id: ONE, title: colonial_empires, given: 7}", "malformed"),
        ("- {id: ONE, title: colonial_empires, then: {views: {nobody: {}}}}", "malformed"),
        ("just a text", "one list"),
        ("- [1, 2", "FAILED"),
    ],
    ids=range(14),
)
def test_vectors_that_do_not_hold(tmp_path, text, reason):
    """Exit status 1, one line that says why; never a traceback."""
    file = tmp_path / "bad.yaml"
    file.write_text(text + "\n")
    result = call("vectors", str(file))
    assert result.exit_code == 1
    assert not isinstance(result.exception, Exception), result.exception
    first, *_, last = result.output.splitlines()
    assert first.startswith("FAILED")
    assert reason in first
    assert last == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("{type: dance}", "unknown_command"),
        ("{type: choose_empire}", "invalid_parameters"),
        ("{type: choose_empire, empire: 7}", "invalid_parameters"),
        ("{type: choose_empire, empire: 8}", "malformed_parameters"),
        ("{type: choose_empire, empire: dutch, more: 1}", "invalid_parameters"),
    ],
)
def test_vectors_may_expect_wrong_shapes(tmp_path, command, code):
    """What the edge of the service refuses is a rejection like any other."""
    file = tmp_path / "shape.yaml"
    step = f"[{{seat: 0, command: {command}}}]"
    file.write_text(f"- {{id: ONE, title: colonial_empires, when: {step}, then: {{rejected: {code}}}}}\n")
    assert call("vectors", str(file)).exit_code == 0


def test_openapi_is_written_without_servers(monkeypatch):
    """The description of the API comes out as JSON, with no server about."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    result = call("openapi")
    assert result.exit_code == 0, result.output
    described = json.loads(result.stdout)
    assert described["openapi"].startswith("3.1")
    assert "/v1/games/{id}/commands" in described["paths"]


def test_bench_plays_whole_games():
    """What the benchmark measures are whole games of each title."""
    from events.rules.catalogue import find_title

    for title_id in title_ids():
        title = find_title(title_id)
        facts, commands, blank = play_random_game(title, title.seats[0], 3)
        assert title.outcome(title.fold_all(blank, facts)) is not None
        assert commands > 10


def test_bench_rows_are_aligned():
    """A figure, its yardstick, and their ratio."""
    text = Row("folded", 1000.0, "events/s", "bare", 2000.0, "> 1").text()
    assert "1,000.0" in text
    assert "0.50" in text
    assert command.name == "bench"
