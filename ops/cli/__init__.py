"""The command `rutter`."""

import importlib
import importlib.util
import sys
from pathlib import Path

import click
import structlog

from events.base.installation import install_command, qualify_name
from events.base.settings import WrongSetting
from ops.base.errors import OpsError
from ops.runtime.data_folder import DISK_FULL_ERRORS

PACKAGES = Path(__file__).resolve().parents[2]
SERVER = install_command("server")
"""The command that installs what a server needs."""
# A module is imported only when its command is called, so that `rutter verify` needs no servers and `--help`
# is quick.
MODULES: dict[str, str] = {
    "up": "cli.up",
    "archive": "cli.db.archive",
    "backup": "cli.db.backups:backup",
    "distribute": "cli.db.distribute",
    "failed": "cli.db.failed",
    "grant": "cli.db.grant",
    "migrate": "cli.db.migrate",
    "rebuild": "cli.db.rebuild",
    "replay": "cli.db.replay",
    "restore": "cli.db.backups:restore",
    "compare": "cli.game.compare",
    "disclose": "cli.game.disclose",
    "explain": "cli.game.explain",
    "export": "cli.game.export",
    "fairplay": "cli.game.fairplay",
    "vectors": "cli.game.vectors",
    "verify": "cli.game.verify",
    "audit": "cli.log.audit",
    "keygen": "cli.log.keygen",
    "keys": "cli.log.keys",
    "mcp": "cli.bots.mcp",
    "arena": "cli.bots.arena",
    "engines": "cli.bots.engines",
    "fit": "cli.bots.fit",
    "ladder": "cli.bots.ladder",
    "simulate": "cli.bots.simulate",
    "ban": "cli.accounts.bans:ban",
    "unban": "cli.accounts.bans:unban",
    "reports": "cli.accounts.reports:command",
    "bench": "cli.dev.bench",
    "capacity": "cli.dev.capacity",
    "keep": "cli.dev.keep",
    "openapi": "cli.dev.openapi",
    "pictures": "cli.dev.pictures",
    "title": "cli.dev.title",
    "reference": "cli.dev.reference",
    "witness": "witness.commands",
}
"""The module below `ops` of each command, where `command` is the click command."""
SECTIONS: dict[str, dict[str, str]] = {
    "Run a server": {
        "up": "Run everything: Postgres, Redis, API and workers.",
        "migrate": "Bring the database to the newest schema.",
        "grant": "Grant the database roles their privileges.",
        "keygen": "Make a signing key.",
        "keys": "Show and replace the signing keys.",
        "ban": "Ban an account, or list who is banned.",
        "unban": "Lift the ban of an account.",
        "reports": "List reported messages, or erase one.",
    },
    "Keep its data": {
        "backup": "Write a backup while games are played.",
        "restore": "Fill an empty database from a backup.",
        "archive": "Move finished games out of the database into files.",
        "replay": "Decide every stored game again, before a release.",
        "rebuild": "Build the read models again from the log.",
        "failed": "List the games whose background jobs failed.",
        "distribute": "Spread games over the machines of a Citus cluster.",
    },
    "Check games (no server needed)": {
        "verify": "Verify the audit file of a game or a tournament.",
        "compare": "Compare two audit files of one game or tournament.",
        "disclose": "Open hidden parts of your seat to a director.",
        "explain": "Show the best moves of a decision, judged by a bot.",
        "fairplay": "Compare the moves of players with those of a bot.",
    },
    "Check the log of all games": {
        "audit": "Read and check the whole log.",
        "witness": "Witness logs of others, so that none shows two histories.",
    },
    "Analyse games": {
        "export": "Fetch the ended games of a server as files.",
    },
    "Bots": {
        "arena": "Play games between bots and compare their strength.",
        "ladder": "Measure all levels of bots against each other.",
        "fit": "Learn the weights of a bot from games.",
        "simulate": "Play games between bots and write their events.",
        "engines": "List and check engines of others.",
        "mcp": "Let an agent play by the Model Context Protocol.",
    },
    "Develop": {
        "title": "Begin a title of your own.",
        "vectors": "Run worked examples of the rules.",
        "keep": "Keep a version of a title for the games in play.",
        "openapi": "Write the OpenAPI description of the API.",
        "pictures": "Make pictures of all boards.",
        "reference": "Write the page that describes all commands.",
        "bench": "Measure log, core and server.",
        "capacity": "Compute the machines that a load needs.",
    },
}
"""All commands as `rutter --help` lists them, each with what it does."""


class Commands(click.Group):
    """The commands, each with a module of its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all commands, in alphabetical order."""
        return sorted(MODULES)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their sections. No module is imported for it."""
        for heading, commands in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()))
        if importlib.util.find_spec("psycopg") is None:
            formatter.write_paragraph()
            formatter.write_text(
                f"Commands that need a database are not installed here. Install them with `{SERVER}`."
            )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or None."""
        if cmd_name not in MODULES:
            return None
        try:
            module, _, name = MODULES[cmd_name].partition(":")
            found: click.Command = getattr(
                importlib.import_module(qualify_name(f"ops.{module}")), name or "command"
            )
        except ImportError as missing:
            return _make_stand_in(cmd_name, missing)
        return found


CHECKS = frozenset({*SECTIONS["Check games (no server needed)"], "audit"})
"""The commands whose exit status is a verdict: 1 would say that what they check is bad."""
UNCHECKED = 3


def _make_stand_in(name: str, missing: ImportError) -> click.Command:
    """Return a stand-in for a command of which a module is not installed here."""

    def say(**_words: object) -> None:
        if name not in CHECKS:
            raise missing
        click.echo(f"CANNOT CHECK: {_describe_missing(missing)}", err=True)
        sys.exit(UNCHECKED)

    settings = {"ignore_unknown_options": True, "help_option_names": []}
    words: list[click.Parameter] = [click.Argument(["words"], nargs=-1)]
    return click.Command(name, settings, say, words)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option("0.1.0", prog_name="rutter")
def rutter() -> None:
    """Run a server for board games, and verify games of any server.

    `rutter COMMAND --help` describes a command.
    """


def check_packages() -> None:
    """Make sure that `events` is ours.

    A package `Events` on PyPI installs a folder of the same name, which can come first on the import path.

    Raises:
        OpsError: `import events` would load another package.
    """
    for name in (qualify_name("events"), qualify_name("service")):
        spec = importlib.util.find_spec(name)
        if spec and spec.origin and Path(spec.origin).resolve().parent.parent != PACKAGES:
            raise OpsError(
                f"`import {name}` would load {spec.origin}, not Rutter's own package in {PACKAGES}. "
                "Uninstall the other package, or start Rutter with `ops/rutter`."
            )


def _describe_missing(missing: ImportError) -> str:
    if isinstance(missing, ModuleNotFoundError):
        return f"The module {missing.name} is not installed. Install it with `{SERVER}`."
    return f"A module cannot be imported here: {missing}"


def _get_database_error() -> type[Exception] | tuple[()]:
    """Return the error of a database that is away, or refuses; nothing where no command has used any."""
    psycopg = sys.modules.get("psycopg")
    return psycopg.OperationalError if psycopg is not None else ()


def main() -> None:
    """Run a command. An error that the user can correct is printed without a traceback."""
    # The default prints the values of local variables with an error, and so the state of games.
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])
    try:
        check_packages()
        rutter(prog_name="rutter")
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in sys.modules:
            raise  # a module of a package that is there: a fault of ours
        click.echo(f"rutter: {_describe_missing(missing)}", err=True)
        sys.exit(1)
    except (OpsError, WrongSetting) as problem:
        click.echo(f"rutter: {problem}", err=True)
        sys.exit(1)
    except _get_database_error() as problem:
        told = "; ".join(line.strip() for line in str(problem).splitlines() if line.strip())
        click.echo(
            f"rutter: The database cannot be used: {told.removesuffix('.')}. Start it, and check DATABASE_URL"
            " and RUTTER_MIGRATE_URL.",
            err=True,
        )
        sys.exit(1)
    except OSError as problem:
        if problem.errno not in DISK_FULL_ERRORS:
            raise
        where = f" (while writing {problem.filename})" if problem.filename else ""
        click.echo(f"rutter: The disk is full{where}. Make room, then run the command again.", err=True)
        sys.exit(1)
