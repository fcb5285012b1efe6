"""`rutter fairplay FILE`: how often players chose as a strong bot would, and how long they thought."""

from __future__ import annotations

import json
from pathlib import Path

import click
import msgspec

from events.rules.bot_names import THINKERS
from events.tlog.text import escape_controls
from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.verify.fair_play import (
    WARNING,
    AskedDecision,
    Judgement,
    PlayerReport,
    draw_sample,
    judge,
    read_decisions,
    summarize,
)
from ops.verify.input import ExitStatusReporter

_BEGINS = b'{"player":'


@click.command("fairplay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--bot",
    "name",
    type=click.Choice(sorted(THINKERS)),
    default="strong",
    show_default=True,
    help="The bot to compare with.",
)
@click.option(
    "--decisions",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="The most decisions of each player that are judged. They are drawn by the seed.",
)
@click.option("--seed", default="fairplay", show_default=True, help="The same seed gives the same result.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write each judged decision to this file, and skip those that it holds already.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(file: Path, name: str, decisions: int, seed: str, out: Path | None, as_json: bool) -> None:
    """Compare the decisions of people in FILE with the first choice of a bot.

    FILE is the audit file of a finished game, or of a tournament that is over. The bot knows only what the
    seat could know. For each player the output shows how often they gave the bot's first choice, with a 95 %
    interval by Wilson. Where the game has a clock, it shows the median thinking time. Decisions without a
    choice do not count.

    Each decision takes the bot's whole thinking time. With --out you can stop the command and run it again:
    it goes on after the last decision.

    This proves nothing about a player. The command checks form, hash chain and hidden parts of FILE;
    `rutter verify` also checks the rules.
    """
    with ExitStatusReporter(None):
        wanted = draw_sample(read_decisions(file), decisions, seed)
        judged = _judge_all(wanted, name, seed, out)
    reports = summarize(judged)
    if as_json:
        told = {"bot": name, "players": msgspec.to_builtins(reports), "warning": WARNING}
        click.echo(json.dumps(told, sort_keys=True))
        return
    for line in _format_reports(reports, name):
        click.echo(escape_controls(line))


def _judge_all(wanted: list[AskedDecision], name: str, seed: str, out: Path | None) -> list[Judgement]:
    """Return the judgement of each decision, from the file where that has it."""
    done = {(one.game, one.seq, one.bot, one.seed): one for one in _read_judgements(out)}
    judged = []
    with progress("Judging decisions", len(wanted)) as step:
        for asked in wanted:
            place = (asked.decision.game, asked.decision.seq, name, seed)
            one = done.get(place)
            if one is None:
                one = judge(asked, name, seed)
                _append(out, one)
            judged.append(one)
            step(1)
    return judged


def _read_judgements(out: Path | None) -> list[Judgement]:
    """Return the judgements of an earlier run; half a line at the end is cut off."""
    if out is None or not out.exists():
        return []
    text = out.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    try:
        found = [msgspec.json.decode(line, type=Judgement) for line in whole.splitlines()]
    except msgspec.MsgspecError:
        found = []
    if (text and not text.startswith(_BEGINS)) or (whole and not found):
        raise OpsError(f"{out} is not the output of an earlier run. Name another file.")
    if whole != text:
        out.write_bytes(whole)
    return found


def _append(out: Path | None, one: Judgement) -> None:
    if out is not None:
        with out.open("ab") as stream:
            stream.write(msgspec.json.encode(one) + b"\n")


def _format_reports(reports: list[PlayerReport], name: str) -> list[str]:
    lines = [f"player      decisions  first choice of {name}, 95 % interval     median time"]
    for one in reports:
        share = f"{100 * one.first / one.decisions:5.1f} %" if one.decisions else "      -"
        interval = f"{100 * one.low:5.1f} to {100 * one.high:5.1f} %"
        time = "-" if one.median_ms is None else f"{one.median_ms / 1000:.1f} s"
        lines.append(f"{one.player:<12}{one.decisions:>9}  {share}, {interval:<28}  {time}")
    return [*lines, "", WARNING]
