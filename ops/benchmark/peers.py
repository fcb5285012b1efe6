"""Other libraries of games at random play, each in an environment of its own, to compare with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ops.benchmark.rows import Row

INSTALL_SECONDS = 300
PLAY_SECONDS = 120


class Peer(msgspec.Struct, frozen=True):
    """A library, and a program that plays with it."""

    name: str
    package: str
    program: str
    """Defines `play()`, which plays one random game and answers how many moves it had."""


PEERS = (
    Peer(
        "catanatron",
        "catanatron==3.2.1",
        """
from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer
def play():
    game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
    game.play()
    return len(game.state.actions)
""",
    ),
    Peer(
        "python-chess",
        "chess==1.11.2",
        """
import random
import chess
def play():
    board, moves = chess.Board(), 0
    while not board.is_game_over():
        board.push(random.choice(list(board.legal_moves)))
        moves += 1
    return moves
""",
    ),
    Peer(
        "OpenSpiel",
        "open_spiel==2.0.2",
        """
import random
import pyspiel
game = pyspiel.load_game("backgammon")
def play():
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            moves += 1
    return moves
""",
    ),
)
_RATE = """
import json, sys, time
play()
done, began = 0, time.perf_counter()
while (took := time.perf_counter() - began) < float(sys.argv[1]):
    done += play()
print(json.dumps(done / took))
"""


def measure_peers(seconds: float, say: Callable[[str], object]) -> Iterator[Row]:
    """Yield a row for each library; *say* is told of one that cannot be had here, and why."""
    for peer in PEERS:
        try:
            yield Row(f"random play, {peer.name}", _measure_peer(peer, seconds), "moves/s")
        except (OSError, subprocess.SubprocessError, ValueError) as problem:
            say(f"{peer.package} cannot be measured here: {_find_reason(problem)}")


def _measure_peer(peer: Peer, seconds: float) -> float:
    """Return the moves a second. Raises what installing it or playing with it raises."""
    python = _make_environment(peer)
    played = subprocess.run(
        [python, "-c", peer.program + _RATE, str(seconds)],
        check=True,
        capture_output=True,
        text=True,
        timeout=PLAY_SECONDS + seconds,
    )
    return float(json.loads(played.stdout.splitlines()[-1]))


def _make_environment(peer: Peer) -> str:
    """Return the Python of an environment that has the library, made once and kept in the user's cache."""
    folder = _find_cache_folder() / f"{peer.package}-{sys.version_info.major}.{sys.version_info.minor}"
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", peer.package],
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
        )
        ready.touch()
    return str(python)


def _find_cache_folder() -> Path:
    """Return a folder in the user's cache, or a temporary one where there is none to write to."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rutter" / "peers"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="rutter-peers-"))
    return folder


def _find_reason(problem: Exception) -> str:
    """Return the last line of what a program said, else the error."""
    said = str(getattr(problem, "stderr", None) or "").strip().splitlines()
    return said[-1] if said else str(problem)
