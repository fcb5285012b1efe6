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
from ops.witness.errors import StartError
from ops.witness.folder import Folder, open_folder
from ops.witness.follower import Follower
from ops.witness.follower import follow as keep_following

LONGEST_NAME = 251
"""Characters of a witness's name: its drop box has five more."""

state_option = click.option(
    "--state",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of this witness. It holds its key, and what it has cosigned.",
)


def log_key(text: str) -> Verifier:
    """Return the key of a log. Raises click's error for other keys, such as a witness's."""
    try:
        found = Verifier.read(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not a vkey: {error}") from None
    if found.kind != ED25519:
        raise click.BadParameter(f"{text!r} is the key of a witness. Give the key of a log.")
    return found


def address(text: str) -> str:
    """Return the address of a log. Raises click's error if it is not of http or https."""
    if not text.startswith(("http://", "https://")):
        raise click.BadParameter(f"{text!r} is not an address. It must begin with https:// or http://.")
    return text


@click.group("witness", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Witness the logs of others, so that they cannot show two histories.

    A witness cosigns a checkpoint of a log only if its tree begins with the tree that it cosigned before. It
    sees no secrets of games, and needs no database.
    """


@command.command()
@click.option(
    "--name",
    required=True,
    help="The name of the witness, such as organiser.example/w1. It can never change.",
)
@state_option
def init(name: str, state: Path) -> None:
    """Make a key, and print the two public keys that others need.

    The first line is the key that cosigns. Policies name it: `witness NAME VKEY`. The second line is the key
    of the drop box. Use one witness either for `follow` or for `serve` with --log.
    """
    if len(name) > LONGEST_NAME:
        raise click.BadParameter(
            f"the name is too long. Choose one of at most {LONGEST_NAME} characters.", param_hint="--name"
        )
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
    help="The time between two looks at the log.",
)
@click.option("--once", is_flag=True, help="Look once, then end. Good for cron.")
def follow(log_vkey: Verifier, url: str, state: Path, *, every: float, once: bool) -> None:
    """Follow the log at URL with the key LOG_VKEY, and cosign it.

    The witness reads all entries of the log, and cosigns its checkpoints. URL ends in /log, which is added if
    you leave it out. This works from behind a home router. The cosignature also says that the witness saw all
    entries, and that those of each game form one chain.

    \b
    Exit status:
      0  ended by a signal; with --once: the newest checkpoint is cosigned
      1  cannot start: no key, another process follows this log, or the
         state is lost
      2  wrong usage
      3  with --once: the log cannot be reached, or its checkpoint or the
         cosignature was not accepted
      4  the log contradicts itself: nothing was cosigned, and the folder
         evidence/ holds the evidence
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
    "--port", required=True, type=click.IntRange(0, 65535), help="The port to listen on; 0 takes a free one."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; 0.0.0.0 lets other machines in.",
)
@state_option
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="VKEY",
    type=log_key,
    help="The key of a log that may push. Repeat it for each log; without it, nothing is cosigned.",
)
def serve(port: int, host: str, state: Path, logs: tuple[Verifier, ...]) -> None:
    """Serve over HTTP: cosign for logs that push, and keep a drop box.

    The protocol is C2SP tlog-witness.

    \b
    POST /add-checkpoint               a log pushes a checkpoint
    GET  /<hex H(origin)>/checkpoint   the newest cosigned checkpoint
    POST /drop                         a contribution that a server did not answer
    GET  /drops/<hex H(origin)>/<game> the contributions for a game, for its server to collect

    A log that contradicts itself gets 422 until you run `rutter witness forget`. Other logs are not affected.
    Without --log, you can run this beside `follow` on the same folder. Put TLS in front of it.

    Exit status: 0 ended by a signal, 1 cannot start (no key, lost state, port taken), 2 wrong usage.
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
        raise StartError(
            f"Port {port} of {host} is not free: {problem}. Choose another --port or --host."
        ) from None
    _set_on_signals(lambda: Thread(target=listening.shutdown).start())
    shown = f"[{host}]" if listening.address_family == socket.AF_INET6 else host
    _print_line(f"{made.cosigner.name} serves on http://{shown}:{listening.port}")
    listening.serve_forever()


@command.command()
@click.argument("origin")
@state_option
def forget(origin: str, state: Path) -> None:
    """Cosign for ORIGIN again, despite evidence against it.

    The witness keeps the evidence and the newest checkpoint. It still cosigns only trees that begin with that
    checkpoint. A log that cannot show one needs a new origin, or a witness with a new key.

    Exit status: 0 when done, 1 when there was nothing to forget, 2 for wrong usage.
    """
    folder, _ = _open_witness(state)
    with folder.lock(origin):
        released = folder.release(origin)
    if not released:
        raise StartError(f"There is no evidence against {origin}. Nothing needs to be done.")
    _print_line(f"cosigning {origin} again: checkpoints that begin with the newest cosigned one")


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
