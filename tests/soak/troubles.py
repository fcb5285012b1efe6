"""What is done to the service during a soak."""

import contextlib
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ops.base.errors import OpsError
from tests.losing_proxy import Loss
from tests.soak.load import Flood
from tests.soak.notes import Notes
from tests.soak.players import PATIENCE, Client, Player
from tests.soak.service import Service, ServiceBehindProxies

FLOOD_SECONDS = 5.0
FULL_SECONDS = 6.0
LOSING_SECONDS = 6.0
SHARE = {Loss.CUT: 0.05, Loss.SILENCE: 0.01}
"""Of the answers, while some are lost."""
LISTED_SECONDS = 20.0
"""Within which a restored service plays on and lists a new game."""


@dataclass
class Scene:
    """What a trouble happens to."""

    service: ServiceBehindProxies
    players: list[Player]
    notes: Notes
    ready_after_full_disk: float | None = None
    """Seconds from the first free byte until it was ready and a command was carried out; the longest."""
    restored_plays_after: float | None = None
    """Seconds until a restored service had answered every player and listed a new game; the longest."""


class Trouble(NamedTuple):
    """Something that happens to a service."""

    name: str
    make: Callable[[Scene], None]
    needs_small_disk: bool = False


def _kill(name: str) -> Trouble:
    return Trouble(f"kill {name}", lambda scene: scene.service.kill(name))


def _kill_supervisor(scene: Scene) -> None:
    """The next one clears up after it."""
    scene.service.kill_supervisor()
    scene.service.start()


def _lose(name: str, kind: Loss) -> Trouble:
    """Some of a server's answers never arrive, for a while."""

    def make(scene: Scene) -> None:
        with scene.service.proxies[name].lose_share(SHARE[kind], kind):
            threading.Event().wait(LOSING_SECONDS)

    return Trouble(f"{name} answers lost ({kind.value})", make)


def _flood(scene: Scene) -> None:
    with Flood(scene.service, scene.notes):
        threading.Event().wait(FLOOD_SECONDS)


def _fill_the_disk(scene: Scene) -> None:
    """To the last byte, for a while; then it must be ready again within a minute."""
    ballast = scene.service.disk / "ballast"
    deadline = time.monotonic() + FULL_SECONDS
    try:
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), ballast.open("ab", buffering=0) as handle:
                for size in (1 << 20, 1 << 12, 1):
                    with contextlib.suppress(OSError):
                        while handle.write(bytes(size)) == size:
                            pass
            time.sleep(0.2)
    finally:
        ballast.unlink(missing_ok=True)
    began = time.monotonic()
    before = sum(player.acknowledged_count for player in scene.players)
    scene.service.wait_until_ready()
    while (
        sum(player.acknowledged_count for player in scene.players) == before
        and time.monotonic() - began < PATIENCE
    ):
        time.sleep(0.05)
    scene.ready_after_full_disk = max(scene.ready_after_full_disk or 0.0, time.monotonic() - began)


def _restore(scene: Scene) -> None:
    """A backup in the middle of play, restored beside, where the players go on with their games.

    The signing key is put beside by hand, as the operator does: no backup holds it.
    """
    folder = Path(scene.service.disk).parent / "restored"
    folder.mkdir(mode=0o711)
    other = Service(folder)
    try:
        # What was acknowledged until now must be in it; what comes while it is taken may be.
        returned = [player.move_to(other) for player in scene.players]
        scene.service.run("backup", str(folder), "--data", str(scene.service.data))
        scene.service.run("restore", str(folder), "--data", str(other.data))
        shutil.copy2(scene.service.data / "signing.key", other.data / "signing.key")
        with other:
            _play_on(scene, other, returned)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _play_on(scene: Scene, other: Service, returned: list[Player]) -> None:
    """Every player gives a command to the *other* service, and a new game is listed there."""
    before = {player: player.acknowledged_count for player in returned}
    began = time.monotonic()
    for player in returned:
        player.start()
    new = returned[0].begin()
    nobody = Client(other, scene.notes)
    lacking = [f"game {new} in the list", *(player.table.title for player in returned)]
    while lacking and time.monotonic() - began < PATIENCE:
        listed = {game["id"] for game in nobody.insist("GET", "/v1/games?limit=20")["games"]}
        lacking = [f"game {new} in the list"] * (new not in listed)
        lacking += [
            player.table.title for player, count in before.items() if player.acknowledged_count <= count
        ]
        time.sleep(0.5)
    took = time.monotonic() - began
    scene.restored_plays_after = max(scene.restored_plays_after or 0.0, took)
    for player in returned:
        player.stop()
    for player, first in zip(returned, scene.players, strict=True):
        player.compare(first.promises())
    if lacking:
        raise OpsError(f"the restored service does not play on: {', '.join(lacking)}")


TROUBLES = (
    *map(_kill, ("api", "fork-server", "postgres", "redis")),
    *map(_kill, ("worker-dispatcher", "worker-ai", "worker-house", "worker-deliver")),
    Trouble("kill an API process", lambda scene: scene.service.kill_a_child("api")),
    Trouble("kill the supervisor", _kill_supervisor),
    *(_lose(name, kind) for name in ("postgres", "redis") for kind in Loss),
    Trouble("flood", _flood),
    Trouble("restore", _restore),
    Trouble("full disk", _fill_the_disk, needs_small_disk=True),
)
