"""`rutter audit`: the log of all games, checked by its operator or by a stranger."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from events.base.settings import RUTTER_LOG_STATE
from events.rules.kit.words import format_count
from events.store.signing_keys import list_logged_keys, read_origin
from events.table.bundle import BadBundle
from events.tlog.notes import Verifier
from events.tlog.text import escape_controls
from events.verify import UncheckableClaim, UnreadableFile
from ops.cli.options import SuccessorParam, data_option
from ops.runtime.servers import open_connection
from ops.verify import log_monitor
from ops.verify.input import open_input, read_lines, read_policy
from ops.verify.log_reader import LogReader, MalformedLog, UnavailableLog
from projections.tree.archive import Archive
from projections.tree.log_state import LogState
from projections.tree.tree_check import TreeCheckResult, check_tree

OK, BAD, USAGE, OPEN, PROVEN = range(5)
READABLE = click.Path(exists=True, dir_okay=False, path_type=Path)
WRITABLE = click.Path(dir_okay=False, path_type=Path)


@click.command("audit")
@click.argument("log_url", required=False)
@click.option("--key", metavar="VKEY", help="The key of the log, from another source than the log itself.")
@click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A policy: the logs and witnesses that you trust, and the quorum.",
)
@click.option(
    "--successor",
    type=SuccessorParam(),
    multiple=True,
    help="The key of a lost log, and the key of its successor. The new log must name the old one.",
)
@click.option(
    "--receipts",
    type=READABLE,
    multiple=True,
    help="A file of receipts that the log must contain. A bundle is such a file too.",
)
@click.option("--bundle", type=READABLE, help="The bundle of a game that the log must contain.")
@click.option("--evidence", type=WRITABLE, help="With exit status 4: write the evidence to this file.")
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Without LOG_URL: a folder with the bundles (GAME.ndjson) of archived games.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@data_option
def command(
    log_url: str | None,
    key: str | None,
    policy: Path | None,
    successor: tuple[tuple[Verifier, Verifier], ...],
    receipts: tuple[Path, ...],
    bundle: Path | None,
    evidence: Path | None,
    archive: Path | None,
    as_json: bool,
    data: Path,
) -> None:
    """Check the log of all games.

    With LOG_URL, such as https://rutter.example/log, you check the log of another server. The command reads
    every entry. It checks that each game has one history, and that the entries give the signed tree. It also
    looks for the receipts and the game that you give, and counts the games.

    Without LOG_URL, you check the log of your own server. The command makes the tree again from the database.
    It compares the tree with the stored leaves, tiles and checkpoints, and with log.state. It reads archived
    games from their bundles, or from the folder that --archive names.

    \b
    Exit status:
      0  OK: everything is correct, and you named the key
      1  BAD: something is wrong
      2  wrong usage, or a file cannot be read
      3  INCOMPLETE: what was checked is correct, but you gave no key or
         policy, or a quorum is missing
      4  PROVEN: what the log signed shows two histories of a game, or
         leaves out something that the log acknowledged
    """  # noqa: D301 - \b is how click keeps lines
    if log_url is None:
        if key or policy or successor or receipts or bundle:
            words = "--key, --policy, --successor, --receipts and --bundle"
            raise click.UsageError(f"{words} need a LOG_URL. Give the address of the log.")
        _audit_own_log(data, archive, as_json=as_json)
    else:
        if archive:
            raise click.UsageError("--archive is for your own database. Leave LOG_URL out.")
        reader = LogReader(log_url)
        trust = _read_trust(reader, key, policy, successor)
        _audit_other_log(reader, trust, _read_exhibits(receipts, bundle), evidence, as_json=as_json)


def _audit_own_log(data: Path, archive: Path | None, *, as_json: bool) -> NoReturn:
    state = LogState.locate(RUTTER_LOG_STATE.read(), data)
    with open_connection(data) as connection:
        keys = [Verifier.read(known.vkey) for known in list_logged_keys(connection)]
        origin = read_origin(connection)
        moved = Archive(archive, keys, connection)
        result = check_tree(connection, keys, state, _make_progress("leaves"), moved)
    if as_json:
        click.echo(json.dumps({"origin": origin, **msgspec.to_builtins(result)}))
    else:
        _print_own(result, origin)
    sys.exit(BAD if result.findings or result.parked else OK)


def _print_own(result: TreeCheckResult, origin: str | None) -> None:
    for finding in result.findings:
        click.echo(f"BAD: {escape_controls(finding)}", err=True)
    for game in result.parked:
        click.echo(f"DAMAGED: {escape_controls(game)}", err=True)
    holds = "BAD" if result.findings or result.parked else "OK"
    click.echo(f"{holds}: the log {origin}, made again from its events")
    click.echo(
        f"  leaves         {result.leaves} for {result.events} events; {result.waiting} have no leaf yet"
    )
    click.echo(f"  archive        {result.archived} games read from their bundles")
    if result.frozen:
        click.echo(f"  frozen         {result.frozen} games with events that an earlier log did not cover")
    click.echo(f"  tiles          {result.tiles} full")
    click.echo(f"  checkpoints    {result.checkpoints}, with {result.cosignatures} cosignatures")


def _audit_other_log(
    reader: LogReader,
    trust: log_monitor.LogTrust,
    given: log_monitor.Exhibits,
    evidence: Path | None,
    *,
    as_json: bool,
) -> NoReturn:
    try:
        seen = log_monitor.monitor(reader, trust, given, _make_progress("entries"))
    except log_monitor.ConvictedLog as proven:
        if evidence is not None:
            evidence.write_text(json.dumps(proven.evidence, sort_keys=True) + "\n", encoding="utf-8")
        _fail(PROVEN, "PROVEN", str(proven), proven.evidence, as_json=as_json)
    except (log_monitor.InvalidLog, MalformedLog) as bad:
        _fail(BAD, "BAD", str(bad), as_json=as_json)
    except UnavailableLog as away:
        _fail(USAGE, "rutter", str(away), as_json=as_json)
    status = OK if trust.pinned and not seen.unchecked else OPEN
    if as_json:
        result = {"status": status, "pinned": trust.pinned, **msgspec.to_builtins(seen)}
        click.echo(json.dumps(result))
    else:
        _print_other(seen, pinned=trust.pinned)
    sys.exit(status)


def _read_trust(
    reader: LogReader,
    key: str | None,
    policy: Path | None,
    successors: tuple[tuple[Verifier, Verifier], ...],
) -> log_monitor.LogTrust:
    read = read_policy(policy)
    try:
        logs = [Verifier.read(key)] if key else []
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--key") from None
    logs += read.logs if read else []
    logs += [new for old, new in successors if old in logs]
    if logs:
        return log_monitor.LogTrust(tuple(logs), read, pinned=True, successors=successors)
    try:
        keys = tuple(Verifier.read(one["vkey"]) for one in reader.json("/v1/keys")["keys"])
    except (KeyError, TypeError, ValueError) as error:
        raise UnavailableLog(f"{reader.service}/v1/keys gives no key: {error}") from None
    return log_monitor.LogTrust(keys, None, pinned=False)


def _read_exhibits(receipts: tuple[Path, ...], bundle: Path | None) -> log_monitor.Exhibits:
    try:
        found = log_monitor.Exhibits()
        if bundle is not None:
            with open_input(bundle) as stream:
                found = log_monitor.read_bundle(list(read_lines(stream)))
        files = [*receipts, *([bundle] if bundle else [])]  # a bundle ends in a receipt, which counts too
        notes = [note for path in files for note in log_monitor.read_receipts(path.read_bytes().splitlines())]
    except BadBundle as bad:
        _fail(BAD, "BAD", f"the bundle: {bad}", as_json=False)
    except UncheckableClaim as problem:
        _fail(OPEN, "CANNOT CHECK", f"the bundle: {problem}", as_json=False)
    except UnreadableFile as reason:
        _fail(USAGE, "CANNOT READ", f"the bundle: {reason}", as_json=False)
    except (ValueError, OSError) as error:
        told = f"A file cannot be read: {error}. Check --receipts and --bundle."
        raise click.UsageError(escape_controls(told)) from None
    return msgspec.structs.replace(found, receipts=tuple(notes))


def _print_other(seen: log_monitor.MonitorReport, *, pinned: bool) -> None:
    signer = (
        "pinned" if pinned else "NOT PINNED: you gave no key; anyone can have made this (--key, --policy)"
    )
    said = "; ".join(escape_controls(json.dumps(key, sort_keys=True)) for key in seen.keys)
    receipts = ", ".join(f"{count} {what}" for what, count in seen.receipts.items() if count)
    lines = {
        "log": f"{escape_controls(seen.origin)}, {signer}",
        "entries": f"{seen.size}, each game has one chain, and they give the signed root",
        "quorum": seen.quorum,
        "keys": said or "no statements about keys",
        "succeeds": escape_controls(seen.succeeds) or "no other log",
        "games": _describe_games(seen),
        "receipts": receipts or "none given",
        "bundle": seen.bundle or "none given",
    }
    holds = "OK" if pinned and not seen.unchecked else "INCOMPLETE"
    click.echo(
        f"{holds}: {format_count(seen.size, 'entry', 'entries')} of {format_count(seen.games, 'game')}"
    )
    for name, text in lines.items():
        click.echo(f"  {name:<14} {text}")
    for what in seen.unchecked:
        click.echo(f"  not checked    {escape_controls(what)}")


def _describe_games(seen: log_monitor.MonitorReport) -> str:
    if not seen.shown:
        return f"{seen.games} opened"
    shown = ", ".join(f"{count} {escape_controls(status)}" for status, count in sorted(seen.shown.items()))
    hidden = max(0, seen.games - sum(seen.shown.values()))
    return f"{seen.games} opened; listed: {shown}; {hidden} not listed; {seen.silent} idle for 30 days"


def _fail(
    status: int, word: str, reason: str, evidence: dict[str, Any] | None = None, *, as_json: bool
) -> NoReturn:
    if as_json:
        click.echo(json.dumps({"status": status, "reason": reason, "evidence": evidence}))
    else:
        click.echo(f"{word}: {escape_controls(reason)}", err=True)
    sys.exit(status)


def _make_progress(what: str) -> log_monitor.Progress:
    def tell(done: int, of: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{done} of {of} {what}", nl=done == of, err=True)

    return tell
