"""`rutter witness init | follow | serve | forget`."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from types import FrameType

import click

from events.tlog.notes import ED25519, Verifier
from ops.witness import keys
from ops.witness.client import LogClient
from ops.witness.core import Witness
from ops.witness.errors import CannotStart
from ops.witness.folder import Folder, open_folder
from ops.witness.follower import Follower
from ops.witness.follower import follow as keep_following

LONGEST_NAME = 251
"""Characters of a witness's name: its drop box has five more."""

state_option = click.option(
    "--state",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of this witness: its key, and what it has cosigned.",
)


def log_key(text: str) -> Verifier:
    """Return the key of a log; a witness's key is none."""
    try:
        found = Verifier.read(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no vkey: {error}") from None
    if found.kind != ED25519:
        raise click.BadParameter(f"{text!r} is the key of a witness, not of a log")
    return found


def address(text: str) -> str:
    """Return the address of a log: nothing but http and https."""
    if not text.startswith(("http://", "https://")):
        raise click.BadParameter("an address begins with https:// or http://")
    return text


@click.group("witness", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Witness the logs of others, so that they cannot show two histories.

    A witness cosigns a log's checkpoint only if its tree begins with the one cosigned before. It holds no
    secrets of any game, and needs neither a database nor the games.
    """


@command.command()
@click.option("--name", required=True, help="Its name for ever, such as organiser.example/w1.")
@state_option
def init(name: str, state: Path) -> None:
    """Make a key, and print what others pin.

    The first line is the key that cosigns, as policies name it (`witness NAME VKEY`); the second one is that
    of the drop box, which follows from the first. A key cosigns either for `follow` or for `serve`.
    """
    if len(name) > LONGEST_NAME:
        raise click.BadParameter(f"a name has at most {LONGEST_NAME} characters", param_hint="--name")
    try:
        made = keys.make_keys(state, name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    click.echo(made.cosigner.vkey)
    click.echo(made.drop.vkey)


@command.command()
@click.argument("log_vkey", type=log_key)
@click.argument("url", type=address)
@state_option
@click.option(
    "--every",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look at the log.",
)
@click.option("--once", is_flag=True, help="Look once and end: for cron.")
def follow(log_vkey: Verifier, url: str, state: Path, *, every: float, once: bool) -> None:
    """Follow the log with the key LOG_VKEY at URL: read all its entries, cosign, hand the cosignature over.

    URL ends in /log, or is completed by it. Works from behind a home router. Beside what every witness says,
    such a cosignature says that all entries were seen, and that those of each game are one chain.

    \b
    Exit status:
      0  ended by a signal; with --once: the newest checkpoint is cosigned and handed over
      1  cannot start: no key, another process follows, or the state is gone
      2  usage
      3  with --once: the log cannot be reached, or its checkpoint or our cosignature was not accepted
      4  the log contradicts itself; nothing was cosigned, and what shows it is in the folder's evidence/
    """  # noqa: D301 - \b is how click keeps lines
    folder, made = _open_witness(state)
    folder.bind("follow")
    stop = Event()
    _set_on_signals(stop.set)
    witness = Witness(folder, made.cosigner, [log_vkey])
    with folder.hold_following(log_vkey.name):
        client = LogClient(url, stop)
        follower = Follower(witness, folder, log_vkey, client, _print_line)
        code = keep_following(follower, every=every, once=once, stop=stop, tell=_print_line)
    sys.exit(code)


@command.command()
@click.option(
    "--port", required=True, type=click.IntRange(0, 65535), help="Where it listens; 0 takes a free one."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@state_option
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="VKEY",
    type=log_key,
    help="The key of a log that may push; once for each. Without any, nothing is cosigned here.",
)
def serve(port: int, host: str, state: Path, logs: tuple[Verifier, ...]) -> None:
    """Cosign for logs that push (C2SP tlog-witness), show the newest checkpoints, and keep a drop box.

    \b
    POST /add-checkpoint               a log pushes a checkpoint
    GET  /<hex H(origin)>/checkpoint   the newest that was cosigned
    POST /drop                         a contribution that a service gave no answer to
    GET  /drops/<hex H(origin)>/<game> what was dropped for a game, for its server to collect

    A log that contradicts itself is answered with 422 from then on, until `rutter witness forget`; other logs
    go on. Without --log it can stand beside `follow` on the same folder. Put TLS in front of it.

    \b
    Exit status: 0 ended by a signal, 1 cannot start (no key, state gone, port taken), 2 usage.
    """  # noqa: D301 - \b is how click keeps lines
    from ops.witness.server import make_application, make_server

    folder, made = _open_witness(state)
    if logs:
        folder.bind("serve")
    witness = Witness(folder, made.cosigner, logs)
    logging.basicConfig(level=logging.ERROR, format="%(message)s")
    app = make_application(witness, folder, {log.name for log in logs}, made.drop)
    try:
        listening = make_server(app, host, port)
    except (OSError, SystemExit) as problem:
        raise CannotStart(f"Port {port} of {host} cannot be listened on: {problem}.") from None
    _set_on_signals(lambda: Thread(target=listening.shutdown).start())
    shown = f"[{host}]" if listening.address_family == socket.AF_INET6 else host
    _print_line(f"{made.cosigner.name} serves on http://{shown}:{listening.port}")
    listening.serve_forever()


@command.command()
@click.argument("origin")
@state_option
def forget(origin: str, state: Path) -> None:
    """Cosign for ORIGIN again, after evidence against it was found.

    The evidence stays, and so does the newest checkpoint: only a tree that begins with it is ever cosigned.
    A log that cannot show one needs a witness with a new key, or a new origin.

    \b
    Exit status: 0 released, 1 there was nothing to forget, 2 usage.
    """  # noqa: D301 - \b is how click keeps lines
    folder, _ = _open_witness(state)
    with folder.lock(origin):
        released = folder.release(origin)
    if not released:
        raise CannotStart(f"Nothing is held against {origin}.")
    _print_line(f"checkpoints of {origin} that begin with the newest cosigned one are cosigned again")


def _open_witness(state: Path) -> tuple[Folder, keys.Keys]:
    made = keys.load_keys(state)
    folder = open_folder(state)
    folder.check()
    return folder, made


def _print_line(sentence: str) -> None:
    click.echo(sentence)
    sys.stdout.flush()


def _set_on_signals(stop: Callable[[], object]) -> None:
    def handle_signal(_number: int, _frame: FrameType | None) -> None:
        stop()

    signal.signal(signal.SIGTERM, handle_signal)
    signal.signal(signal.SIGINT, handle_signal)
