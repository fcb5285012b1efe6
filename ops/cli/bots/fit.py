"""`rutter fit TITLE`: fit the weights of the features of a thinking bot."""

from pathlib import Path

import click

from events.rules.catalogue import find_title, title_ids
from ops.base.progress import progress
from workers.bots import find_worth
from workers.bots.trials.fit import ROUNDS, Sample, fit, loss, samples
from workers.bots.worth import format_weights

WRITABLE = click.Path(dir_okay=False, path_type=Path)
HELD_BACK = 5
"""Of so many games of each size of table one is not fitted to: it tells how much was learned."""


@click.command("fit")
@click.argument("title_id", metavar="TITLE", type=click.Choice(title_ids()))
@click.option(
    "--games",
    type=click.IntRange(10),
    default=1200,
    show_default=True,
    help="The number of games to learn from.",
)
@click.option("--seed", default="fit", show_default=True, help="The same seed gives the same file.")
@click.option(
    "--out", type=WRITABLE, help="The file to write. Default: the weights that the bots of TITLE use."
)
def command(title_id: str, games: int, seed: str, out: Path | None) -> None:
    """Play games with the simple bots of TITLE, and fit the weights of the features of a position.

    With a new file, the bots that use it get a new version. The command prints the loss on the positions that
    it learned from, and on games that it held back. A loss of 1 is that of a guess without any knowledge.
    """
    title = find_title(title_id)
    found = find_worth(title)
    if found is None:
        raise click.ClickException(f"{title.name} has no thinking bot. Choose another title.")
    worth, guide = found
    with progress("Playing", games) as step:
        played = []
        for game in samples(title, worth, guide, title.seats, games, seed):
            played.append(game)
            step(1)
    learned: list[Sample] = []
    unseen: list[list[Sample]] = []
    for number, game in enumerate(played):  # of every size of table alike
        if number // len(title.seats) % HELD_BACK:
            learned.extend(each for each in game if not each.judged)
        else:
            unseen.append([each for each in game if each.judged])
    with progress("Fitting", ROUNDS) as step:
        weights = fit(worth.names, learned, step)
    target = out or Path(__file__).parents[3] / "workers" / "bots" / "weights" / f"{title_id}.toml"
    target.write_text(format_weights(weights, f"rutter fit {title_id} --games {games} --seed {seed}"))
    click.echo(f"{target}: {len(learned)} positions, loss {loss(weights, learned):.3f} (1 is a mere guess)")
    # Each game counts alike, however long: the positions of one hang together.
    lost = [loss(weights, game) for game in unseen if game]
    click.echo(f"held-back games: {len(lost)}, loss {sum(lost) / len(lost):.3f}")
