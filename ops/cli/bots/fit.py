"""`rutter fit TITLE`: fit the weights of the features of a thinking bot."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from events.rules.catalogue import find_title, title_ids
from ops.base.progress import progress
from ops.cli.options import jobs_option
from workers.bots import find_worth
from workers.bots.trials.fit import ROUNDS, SWEEPS, Sample, fit, learn, loss, play_generation, samples
from workers.bots.worth import Weights, format_weights

WRITABLE = click.Path(dir_okay=False, path_type=Path)
HELD_BACK = 5
"""Of so many games of each size of table one is not fitted to: it tells how much was learned."""
Games = Sequence[Sequence[Sample]]


@click.command("fit")
@click.argument("title_id", metavar="TITLE", type=click.Choice(title_ids()))
@click.option(
    "--games",
    type=click.IntRange(10),
    default=1200,
    show_default=True,
    help="The number of games of the simple bots to learn from.",
)
@click.option(
    "--generations",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="The number of generations of thinking bots to learn from afterwards.",
)
@click.option(
    "--thoughtful",
    type=click.IntRange(HELD_BACK),
    default=200,
    show_default=True,
    help="The games of each generation.",
)
@jobs_option
@click.option("--seed", default="fit", show_default=True, help="The same seed gives the same file.")
@click.option(
    "--out", type=WRITABLE, help="The file to write. Default: the weights that the bots of TITLE use."
)
def command(
    title_id: str, games: int, generations: int, thoughtful: int, jobs: int, seed: str, out: Path | None
) -> None:
    """Play games with the bots of TITLE, and fit the weights of the features of a position.

    First the simple bots play. In each of the --generations, `brisk` then plays itself with the weights so
    far, and they are learned again from its games.

    With a new file, the bots that use it get a new version. The command prints the loss on the positions that
    it learned from, and on games that it held back. A loss of 1 is that of a guess without any knowledge.
    """
    title = find_title(title_id)
    found = find_worth(title)
    if found is None:
        raise click.ClickException(f"{title.name} has no thinking bot. Choose another title.")
    worth, guide = found
    made = f"rutter fit {title_id} --games {games} --seed {seed}"
    with progress("Playing", games) as step:
        played = []
        for game in samples(title, worth, guide, title.seats, games, seed):
            played.append(game)
            step(1)
    learned, unseen = _hold_back(played, len(title.seats))
    positions = [each for game in learned for each in game if not each.judged]
    with progress("Fitting", ROUNDS) as step:
        weights = fit(worth.names, positions, step)
    known = _print_losses(weights, positions, unseen)
    for number in range(1, generations + 1):
        play = partial(play_generation, title_id, weights, title.seats, f"{seed}/{number}")
        learned, unseen = _hold_back(_play_all(play, thoughtful, jobs), len(title.seats))
        _print_losses(weights, [each for game in learned for each in game], unseen, f"before {number}, ")
        with progress("Fitting", ROUNDS * SWEEPS) as step:
            weights = learn(learned, weights, step)
        positions = [each for game in learned for each in game]
        known = _print_losses(weights, positions, unseen, f"after {number}, ")
    if generations:
        made += f" --generations {generations} --thoughtful {thoughtful}"
    target = out or Path(__file__).parents[3] / "workers" / "bots" / "weights" / f"{title_id}.toml"
    target.write_text(format_weights(weights, made, known))
    click.echo(f"{target}: written")


def _play_all(play: Callable[[int], list[Sample]], games: int, jobs: int) -> Games:
    """Return the positions of each of so many games."""
    found = []
    with progress("Thinking", games) as step, ExitStack() as stack:
        run = stack.enter_context(ProcessPoolExecutor(jobs)).map if jobs > 1 else map
        for game in run(play, range(games)):
            found.append(game)
            step(1)
    return found


def _hold_back(games: Games, sizes: int) -> tuple[Games, Games]:
    """Return the games to learn from and those to hold back, of every size of table alike."""
    held = [number // sizes % HELD_BACK == 0 for number in range(len(games))]
    return (
        [game for game, is_held in zip(games, held, strict=True) if not is_held],
        [game for game, is_held in zip(games, held, strict=True) if is_held],
    )


def _print_losses(weights: Weights, learned: Sequence[Sample], unseen: Games, words: str = "") -> str:
    """Print the losses on positions that were learned from and on held-back games: return the latter.

    Of these only the positions count in which the bots would judge.
    """
    click.echo(f"{words}{len(learned)} positions, loss {loss(weights, learned):.3f} (1 is a mere guess)")
    judged = [[each for each in game if each.judged] for game in unseen]
    # Each game counts alike, however long: the positions of one hang together.
    lost = [loss(weights, game) for game in judged if game]
    known = f"held-back games: {len(lost)}, loss {sum(lost) / len(lost):.3f}"
    click.echo(f"{words}{known}")
    return known
