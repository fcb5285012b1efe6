"""`rutter soak`: all titles are played over a running service while it meets everything that can happen.

A service of its own, in a folder of its own, that goes when the soak ends. Players know only the API; what
was acknowledged to them is compared with the log in the end.
"""

import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import click

from ops.errors import OpsError
from ops.progress import progress
from ops.soak_players import Notes, Player, stuck_games
from ops.soak_service import Service, small_disk
from ops.soak_troubles import TROUBLES, Trouble

PAUSE = 4.0
"""Seconds between two troubles, in which play must recover."""


@click.command("soak")
@click.option("--minutes", default=5.0, show_default=True, help="How long.")
@click.option("--seed", default=0, help="Of the order of troubles; 0 takes a random one, which is told.")
@click.option("--longest-wait", default=60.0, show_default=True, help="Most seconds a player may wait.")
@click.option("--json", "as_json", is_flag=True, help="Tell the figures as JSON.")
def command(minutes: float, seed: int, longest_wait: float, as_json: bool) -> None:
    """Play all titles for some minutes under kills, floods, slow clients, a full disk, and a restore.

    Prints how many commands were acknowledged, how many of them are lost or doubled in the log, how many
    answers were errors of ours (5xx but for a 503 that says when to come again), the longest wait of an
    ordinary player, and the games that stand still in the end. The full disk needs root (a small disk is
    mounted); without, that trouble is left out, which is told.

    Exit status 0 only if nothing is lost, doubled, stuck or an error, and nobody waited too long; else 1.
    """
    chosen = seed or random.SystemRandom().randrange(1, 2**31)
    with tempfile.TemporaryDirectory(prefix="rutter-soak-") as folder:
        Path(folder).chmod(0o711)  # the servers of root run as another user
        with small_disk(Path(folder)) as disk:
            figures = soak(disk.path, disk.is_small, minutes * 60, random.Random(chosen))  # noqa: S311 - the order of troubles
    figures["seed"] = chosen
    good = not any(figures[name] for name in ("lost", "doubled", "errors", "stuck", "wrong"))
    figures["passed"] = good and figures["longest_wait_seconds"] <= longest_wait
    _say(figures, as_json=as_json)
    sys.exit(0 if figures["passed"] else 1)


def soak(folder: Path, disk_is_small: bool, seconds: float, chance: random.Random) -> dict[str, Any]:
    """Run a soak in *folder*; the figures."""
    notes = Notes()
    with Service(folder) as service:
        players = [Player(service, title, number, notes) for number, title in enumerate(service.titles())]
        for player in players:
            player.start()
        done = _make_trouble(service, disk_is_small, seconds, chance, notes)
        service.wait_until_ready()
        stuck = stuck_games(players)
        for player in players:
            player.stop()
        for player in players:
            player.compare()
    return {
        "acknowledged": notes.acknowledged,
        "lost": notes.lost,
        "doubled": notes.doubled,
        "errors": notes.errors,
        "longest_wait_seconds": round(notes.longest_wait, 1),
        "stuck": stuck,
        "wrong": notes.wrong,
        "troubles": done,
    }


def _make_trouble(
    service: Service, disk_is_small: bool, seconds: float, chance: random.Random, notes: Notes
) -> dict[str, int]:
    """One trouble after the other, in random order, each as often as the others."""
    possible: list[Trouble] = [t for t in TROUBLES if disk_is_small or not t.needs_small_disk]
    done = {trouble.name: 0 for trouble in possible}
    deadline = time.monotonic() + seconds
    waiting: list[Trouble] = []
    with progress("Soaking", round(seconds)) as step:
        before = time.monotonic()
        while time.monotonic() < deadline:
            waiting = waiting or chance.sample(possible, len(possible))
            trouble = waiting.pop()
            try:
                trouble.make(service)
            except OpsError as problem:
                notes.is_wrong(f"{trouble.name}: {problem}")
            done[trouble.name] += 1
            threading.Event().wait(min(PAUSE, max(deadline - time.monotonic(), 0)))
            step(round(time.monotonic() - before))
            before = time.monotonic()
    return done


def _say(figures: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name.replace('_', ' '):>22}: {value}")
