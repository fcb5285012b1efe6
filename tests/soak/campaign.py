"""`python -m tests.soak`: all titles are played over a running service that meets all that can happen.

A service of its own, in a folder of its own, that goes when the soak ends. Players know only the API; what
was acknowledged to them is compared with the log in the end. First all is calm, then there is much to do,
then one trouble follows the other.
"""

import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import click

from ops.base.errors import OpsError
from ops.base.progress import progress
from ops.runtime.data_folder import DataFolder
from ops.runtime.servers import find_or_start_servers
from tests.soak.load import GIVEN_UP, BotGames, CallTimer, Flood, Neighbour, SlowClients, TaskCounter
from tests.soak.notes import Notes, Phase
from tests.soak.players import PATIENCE, Client, Player
from tests.soak.service import ServiceBehindProxies, small_disk
from tests.soak.stuck_games import describe_stuck_games
from tests.soak.troubles import LISTED_SECONDS, TROUBLES, Scene, Trouble

PAUSE = 4.0
"""Seconds between two troubles at least; the next one waits until every player has been answered."""
CALM_SHARE, NEIGHBOUR_SHARE, LOADED_SHARE = 0.15, 0.15, 0.2
"""Of the time of a soak."""
STUCK_AFTER = 90.0
"""Seconds at least, and as many times the first start as below, in which none of the games that stand still
moves on though all is quiet again: these are stuck."""
LEAST_WAIT, TIMES_CALM = 4.0, 20.0
"""An ordinary player waits no longer under load than the greater: so many seconds, so many times as calm."""
NEIGHBOUR_WAIT, TIMES_ALONE = 2.0, 2.0
"""Beside one account that asks for all that is dear, others wait no longer than the greater: so many seconds,
so many times as calm. The same holds for a call to a webhook of another account."""
LONGEST_WAIT = 60.0
"""So many seconds they wait at most whatever happens to the service."""
TIMES_START = 4.0
"""What waits for processes to start may take so many times as long as the first start took, when all was
calm: a machine that is busy with other things starts slowly."""
MOST_TASKS = 12
"""In Redis for each worker."""
MOST_DESCRIBED = 3
"""Games that stand still, of which everything is told."""
DISK = "ready_after_full_disk_seconds"
READY_SECONDS = 60.0
"""Within which it is ready when the disk has room again."""

Step = Callable[[int], None]
T = TypeVar("T")


@click.command("tests.soak")
@click.option("--minutes", default=5.0, show_default=True, help="How long, at least: nothing is left out.")
@click.option("--seed", default=0, help="Of the order of troubles; 0 takes a random one, which is told.")
@click.option("--json", "as_json", is_flag=True, help="Tell the figures as JSON.")
def command(minutes: float, seed: int, as_json: bool) -> None:
    """Play all titles for some minutes: calm, beside a neighbour, under load, amid one trouble after another.

    Neighbour: one account with huge positions, times at the ends of the calendar, and webhooks that never
    answer. Load: 150 games of bots begin, a flood, clients that never end their requests. Troubles: each
    process is killed, answers of Postgres and Redis are lost, a flood, a backup restored beside and played
    on, a full disk. That one needs root (a small disk is mounted); without, it is left out, which is told.

    Prints how many commands were acknowledged; how many of them are lost or doubled in the log (every receipt
    is compared, also with the log that was restored); how many answers were errors of ours (5xx but for a 503
    that says when to come again); the longest wait of an ordinary player in each phase; the games that stand
    still in the end; and the other figures that must hold.

    Exit status 0 only if every figure holds; else 1, and `broken` says which do not.
    """
    chosen = seed or random.SystemRandom().randrange(1, 2**31)
    with tempfile.TemporaryDirectory(prefix="rutter-soak-") as folder:
        Path(folder).chmod(0o711)  # the servers of root run as another user
        with small_disk(Path(folder)) as disk:
            figures = run_soak(disk.path, disk.is_small, minutes * 60, random.Random(chosen))
    figures["seed"] = chosen
    figures["broken"] = find_broken_figures(figures)
    _print_figures(figures, as_json=as_json)
    sys.exit(1 if figures["broken"] else 0)


def run_soak(folder: Path, disk_is_small: bool, seconds: float, chance: random.Random) -> dict[str, Any]:
    """Run a soak in *folder*; the figures."""
    notes = Notes()
    deadline = time.monotonic() + seconds
    began = time.monotonic()
    with ServiceBehindProxies(folder) as service, TaskCounter(service) as tasks:
        started = time.monotonic() - began
        titles = service.titles()
        players = [
            Player.sit_down(service, notes, title, f"Captain {number}") for number, title in enumerate(titles)
        ]
        for player in players:
            player.start()
        scene = Scene(service, players, notes)
        with progress("Soaking", round(seconds)) as step:
            _wait(CALM_SHARE * seconds, step)
            notes.phase = Phase.NEIGHBOUR
            longest_call = _run_neighbour(scene, titles, NEIGHBOUR_SHARE * seconds, step)
            notes.phase = Phase.LOADED
            bots, slow = _run_load(scene, titles, LOADED_SHARE * seconds, step)
            notes.phase = Phase.TROUBLED
            done = _run_troubles(scene, disk_is_small, deadline, chance, step)
        service.wait_until_ready()
        stuck = _count_stuck_games(scene, bots, max(STUCK_AFTER, TIMES_START * started))
        for player in players:
            player.compare()
        slow.join()
    waits = {f"longest_wait_{phase.value}_seconds": round(notes.longest_wait[phase], 2) for phase in Phase}
    return {
        "start_seconds": round(started, 1),
        "acknowledged": notes.acknowledged,
        "lost": notes.lost,
        "doubled": notes.doubled,
        "errors": notes.errors,
        "put_off": notes.put_off,
        **waits,
        "longest_call_beside_neighbour_seconds": round(longest_call, 2),
        "stuck": stuck,
        "bot_games": len(bots.games),
        "most_tasks_per_worker": tasks.most,
        "endless_header_seconds": round(slow.longest, 1),
        DISK: _round(scene.ready_after_full_disk),
        "restored_plays_after_seconds": _round(scene.restored_plays_after),
        "answers_lost": {name: proxy.lost for name, proxy in service.proxies.items()},
        "troubles": done,
        "longest_wait_in_seconds": notes.longest_wait_in,
        "wrong": notes.wrong,
    }


def find_broken_figures(figures: dict[str, Any]) -> list[str]:
    """The names of the figures that do not hold."""
    starts = TIMES_START * figures["start_seconds"]
    alone = max(NEIGHBOUR_WAIT, TIMES_ALONE * figures["longest_wait_calm_seconds"])
    most = dict.fromkeys(("lost", "doubled", "errors", "stuck"), 0.0) | {
        "longest_wait_neighbour_seconds": alone,
        "longest_call_beside_neighbour_seconds": alone,
        "longest_wait_troubled_seconds": max(LONGEST_WAIT, starts),
        "longest_wait_loaded_seconds": max(LEAST_WAIT, TIMES_CALM * figures["longest_wait_calm_seconds"]),
        "most_tasks_per_worker": MOST_TASKS,
        "endless_header_seconds": GIVEN_UP,
        DISK: max(READY_SECONDS, starts),
        "restored_plays_after_seconds": max(LISTED_SECONDS, starts),
    }
    found = [name for name, bound in most.items() if (figures[name] or 0) > bound]
    found += ["wrong"] * bool(figures["wrong"])
    return found + ["acknowledged"] * (not figures["acknowledged"])


def _wait(seconds: float, step: Step) -> None:
    threading.Event().wait(max(seconds, 0.0))
    step(round(max(seconds, 0.0)))


def _run_neighbour(scene: Scene, titles: list[str], seconds: float, step: Step) -> float:
    """One account does what costs the most, while others play; the longest call to a webhook of another."""
    began = time.monotonic()
    with Neighbour(scene.service, scene.notes, titles), CallTimer(scene.service, scene.notes) as calls:
        _wait(seconds - (time.monotonic() - began), step)
    return calls.longest


def _run_load(scene: Scene, titles: list[str], seconds: float, step: Step) -> tuple[BotGames, SlowClients]:
    """Everything at once that many clients can ask for; no process dies of it."""
    began = time.monotonic()
    slow, bots = SlowClients(scene.service), BotGames(scene.service, titles, scene.notes)
    slow.start()
    with Flood(scene.service, scene.notes):
        bots.start()
        _wait(seconds - (time.monotonic() - began), step)
    return bots, slow


def _run_troubles(
    scene: Scene, disk_is_small: bool, deadline: float, chance: random.Random, step: Step
) -> dict[str, int]:
    """One trouble after the other, in random order, each as often as the others and once at least."""
    possible: list[Trouble] = [t for t in TROUBLES if disk_is_small or not t.needs_small_disk]
    done = {trouble.name: 0 for trouble in possible}
    waiting = chance.sample(possible, len(possible))
    while waiting:
        began = time.monotonic()
        trouble = waiting.pop()
        scene.notes.trouble = trouble.name
        try:
            trouble.make(scene)
        except OpsError as problem:
            scene.notes.note_wrong(f"{trouble.name}: {problem}")
        done[trouble.name] += 1
        _recover(scene)
        step(round(time.monotonic() - began))
        if not waiting and time.monotonic() < deadline:
            waiting = chance.sample(possible, len(possible))
        if min(done.values()) and time.monotonic() >= deadline:
            waiting = []
    scene.notes.trouble = ""
    return done


def _recover(scene: Scene) -> None:
    """Wait until every player has been answered; what is not answered at all they note themselves."""
    before = {player: player.answered for player in scene.players}
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        if all(player.answered > count for player, count in before.items()):
            break
        time.sleep(0.05)
    threading.Event().wait(PAUSE - (time.monotonic() - began))


def _count_stuck_games(scene: Scene, bots: BotGames, patience: float) -> int:
    """How many games do not move on though all is quiet: players' games, and then those of bots alone.

    People are served first, so that as long as they play the others may have to wait. *patience*: seconds in
    which none of those that are left moves.
    """
    before = {player: player.acknowledged_count for player in scene.players}
    people = _wait_until_none_moves(
        lambda left: {p for p in left if p.acknowledged_count <= before[p]},
        frozenset(scene.players),
        patience,
    )
    for player in scene.players:
        player.stop()
    at = bots.read_standing(bots.games)
    still = _wait_until_none_moves(
        lambda left: {g for g in left if bots.read_standing([g]).get(g) == at[g]}, frozenset(at), patience
    )
    standing = {player.table.game: player for player in people} | {game: bots.games[game] for game in still}
    _note_stuck_games(scene, standing)
    return len(standing)


def _note_stuck_games(scene: Scene, standing: Mapping[str, Client]) -> None:
    """All that may tell why games do not move on: what they wait for, what failed, what the service lacks."""
    if not standing:
        return
    folder = scene.service.data
    aside = scene.service.run("failed", "--data", str(folder), told_by_status=True)
    scene.notes.note_wrong(f"set aside: {aside.strip() or 'nothing'}")
    _, _, ready = next(iter(standing.values())).send("GET", "/readyz")
    scene.notes.note_wrong(f"the service says: {ready.decode()}")
    with find_or_start_servers(folder) as addresses:
        for sentence in describe_stuck_games(
            addresses, DataFolder(folder).logs, islice(standing, MOST_DESCRIBED)
        ):
            scene.notes.note_wrong(sentence)
    for game, who in standing.items():
        view = who.insist("GET", f"/v1/games/{game}")
        told = {name: view.get(name) for name in ("title", "status", "seq", "paused", "frozen")}
        scene.notes.note_wrong(f"game {game} does not move on: {told}")
        if isinstance(who, Player):
            scene.notes.note_wrong(f"{who.table.title}: refused was last {who.refused}")


def _wait_until_none_moves(
    still: Callable[[frozenset[T]], set[T]], these: frozenset[T], patience: float
) -> frozenset[T]:
    """What is left of *these* when none has moved on for *patience*; *still* tells which have not."""
    moved_at = time.monotonic()
    while these and time.monotonic() - moved_at < patience:
        left = frozenset(still(these))
        if left != these:
            these, moved_at = left, time.monotonic()
        time.sleep(0.5)
    return these


def _round(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def _print_figures(figures: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        shown = "left out, no small disk can be mounted" if name == DISK and value is None else value
        click.echo(f"{name.replace('_', ' '):>32}: {shown}")
