"""`rutter keep`: keep a version of a title for the games in play, and begin the next."""

from pathlib import Path

import click

from events.rules.catalogue import title_ids
from events.rules.catalogue import versions as list_versions
from ops.base.errors import OpsError
from ops.titles import versions
from ops.titles.bot_versions import keep_bots


@click.command("keep")
@click.argument("titles", nargs=-1)
@click.option(
    "--record", is_flag=True, help="Only record the present rules under the version that they name."
)
@click.option(
    "--bots", is_flag=True, help="Keep only the bots, with their weights and budgets, before they change."
)
@click.option("--check", is_flag=True, help="Only list what is not as recorded.")
@click.option(
    "--from",
    "copy",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A copy of the program that has the title unchanged.",
)
def command(titles: tuple[str, ...], record: bool, bots: bool, check: bool, copy: Path | None) -> None:
    """Keep the present version of TITLES for games in play, and begin the next version.

    The command copies rules, data, golden games and bots to `kept/v<version>` beside the title. The copy is
    read-only. New games use the next version. Run this before you change rules or data, or afterwards: then
    the command takes the unchanged files from the repository, or from the folder in --from. Stop the server
    before, and start it again after.

    With --record, nothing is copied; without TITLES it records all titles. Use it for a change that leaves
    every game as it is, or for rules under which no game began.

    With --bots, the rules stay as they are. The command copies the thinking bots with their weights and
    budgets, so that auditors can recompute old moves after you fit new weights. The bots then get the next
    version.

    With --check, nothing is written.

    Exit status: 0 if everything is done and as recorded, 1 if not, 2 for wrong usage.
    """
    for name in titles:
        if name not in title_ids():
            raise click.UsageError(f"There is no title {name}. Choose from {', '.join(title_ids())}.")
    if check:
        _check(titles or title_ids())
    elif record:
        _record(titles or title_ids())
    elif titles and bots:
        for name in titles:
            number, folder = keep_bots(name)
            click.echo(f"{name}: version {number} of the thinking bots is kept in {folder}.")
            click.echo(f"{name}: the bots that play from now on are version {number + 1}. Change them now.")
    elif titles:
        for name in titles:
            _keep(name, copy)
    else:
        raise click.UsageError("Nothing to do. Name the titles to keep, or use --record or --check.")


def _keep(title_id: str, copy: Path | None) -> None:
    done = versions.keep(title_id, copy)
    click.echo(f"{title_id}: version {done.version} is kept in {done.folder}.")
    click.echo(f"{title_id}: new games begin under version {done.next}.")
    if not done.corrected:
        click.echo(f"When you have changed its rules or data, run `rutter keep --record {title_id}`.")


def _record(titles: tuple[str, ...]) -> None:
    for name in titles:
        before = versions.read_record(name)
        number = versions.record_version(name)
        click.echo(f"{name}: version {number} is recorded.")
        if number in before and before[number].data != versions.read_record(name)[number].data:
            click.echo(
                f"{name}: the data differ from those recorded before. Games that began under version {number}"
                f" with the data {before[number].data[:16]} cannot go on. If there are any, undo this and use"
                " `rutter keep`."
            )


def _check(titles: tuple[str, ...]) -> None:
    found = [problem for name in titles for problem in versions.find_problems(name)]
    for problem in found:
        click.echo(problem)
    for name in titles:
        numbers = ", ".join(str(title.version) for title in list_versions(name))
        click.echo(f"{name}: {numbers}")
    if found:
        raise OpsError("Not all titles are as recorded. The lines above say what to do.")
