"""`rutter keep`: keep a version of a title for the games in play, and begin the next."""

from pathlib import Path

import click

from events.rules.catalogue import title_ids
from events.rules.catalogue import versions as at_hand
from ops.base.errors import OpsError
from ops.titles import versions
from ops.titles.bot_versions import keep_bots


@click.command("keep")
@click.argument("titles", nargs=-1)
@click.option(
    "--record", is_flag=True, help="Only record the rules at hand under the version that they name."
)
@click.option(
    "--bots", is_flag=True, help="Keep only the bots, with their weights and budgets, before they change."
)
@click.option("--check", is_flag=True, help="Only say what is not as recorded.")
@click.option(
    "--from",
    "copy",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Another copy of the program, which has the title unchanged.",
)
def command(titles: tuple[str, ...], record: bool, bots: bool, check: bool, copy: Path | None) -> None:
    """Keep the present version of TITLES, so that games in play go on under it while the next changes.

    A read-only copy of rules, data, golden games and bot is made beside the title, in `kept/v<version>`, and
    the title becomes the next version, under which new games begin. This may be done before its rules or data
    are changed, or afterwards: then the unchanged files are taken from the repository, or from the copy of
    the program that --from names. Stop the service before, and start it again after.

    With --record (of no TITLES: of all) nothing is kept: for a change that leaves every game as it is, or of
    rules under which no game was begun. With --bots the rules stay as they are: a copy of the bots, with the
    weights and budgets with which they think, is made, so that what they played can be thought again when
    they are fitted anew; those that think become the next version. With --check nothing is written.
    Exit status 0 if all is done and as recorded, 1 if not, 2 for usage.
    """
    for name in titles:
        if name not in title_ids():
            raise click.UsageError(f"There is no title {name}. There are: {', '.join(title_ids())}.")
    if check:
        _check(titles or title_ids())
    elif record:
        _record(titles or title_ids())
    elif titles and bots:
        for name in titles:
            number, folder = keep_bots(name)
            click.echo(f"{name}: its bots that think are kept as version {number} in {folder}.")
            click.echo(f"{name}: those that play from now on are version {number + 1}. Change them now.")
    elif titles:
        for name in titles:
            _keep(name, copy)
    else:
        raise click.UsageError("Name the titles to be kept, or --record, or --check.")


def _keep(title_id: str, copy: Path | None) -> None:
    done = versions.keep(title_id, copy)
    click.echo(f"{title_id}: version {done.version} is kept in {done.folder}.")
    click.echo(f"{title_id}: new games begin under version {done.next}.")
    if not done.corrected:
        click.echo(f"When its rules or data are changed: `rutter keep --record {title_id}`.")


def _record(titles: tuple[str, ...]) -> None:
    for name in titles:
        before = versions.read_record(name)
        number = versions.record_version(name)
        click.echo(f"{name}: version {number} is recorded.")
        if number in before and before[number].data != versions.read_record(name)[number].data:
            click.echo(
                f"{name}: its data are others than before; games that began under version {number} with the"
                f" data {before[number].data[:16]} cannot go on. If there are any, undo this and use"
                " `rutter keep`."
            )


def _check(titles: tuple[str, ...]) -> None:
    found = [problem for name in titles for problem in versions.find_problems(name)]
    for problem in found:
        click.echo(problem)
    for name in titles:
        numbers = ", ".join(str(title.version) for title in at_hand(name))
        click.echo(f"{name}: {numbers}")
    if found:
        raise OpsError("Not all titles are as recorded.")
