"""`rutter arena TITLE`: measure the strength of a bot by whole games against others."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from events.rules.catalogue import title_ids
from ops.base.progress import progress
from ops.cli.bots.table_options import read_table
from ops.cli.bots.thought_times import print_times
from ops.cli.bots.truth import print_truth
from ops.cli.options import jobs_option
from workers.bots.trials.arena import SURE, Match, PlayedGame, likelihood, play, summarize_games
from workers.bots.trials.thought_times import TimedThoughts
from workers.bots.trials.truth import Examination

WRITABLE = click.Path(dir_okay=False, path_type=Path)


class BotNames(click.ParamType[Any]):
    """Names of bots with commas between them."""

    name = "A,B[,C]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the names. There are at least two."""
        names = tuple(name for name in value.split(",") if name)
        if len(names) < 2:
            self.fail("an opponent is missing. Name at least two bots, such as steady,random.", param, ctx)
        return names


class EloBounds(click.ParamType[Any]):
    """Two numbers of Elo points."""

    name = "WORSE,BETTER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return both numbers, in ascending order."""
        try:
            worse, better = map(float, value.split(","))
        except ValueError:
            self.fail(f"{value!r} is not two numbers. Give them as -20,0.", param, ctx)
        if worse >= better:
            self.fail(f"{value!r} is not in ascending order. Give the smaller number first.", param, ctx)
        return worse, better


@click.command("arena")
@click.argument("title_id", metavar="TITLE", type=click.Choice(title_ids()))
@click.option("--seats", type=int, help="The seats of each game. Default: as few as the title allows.")
@click.option(
    "--bots",
    type=BotNames(),
    help="The challenger, then the bots for the other seats in turn. steady@1 is an old version. "
    "Default: steady,random, or brisk,steady with --truth, or strong,steady with --time.",
)
@click.option(
    "--deals",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="The number of deals. Each is played once from every seat.",
)
@click.option("--seed", default="arena", show_default=True, help="The same seed gives the same results.")
@jobs_option
@click.option("--options", default="{}", help="Options of the title, as JSON.")
@click.option(
    "--out", type=WRITABLE, help="Write every game to this file as a line of JSON, after those it holds."
)
@click.option(
    "--sprt",
    type=EloBounds(),
    help="Stop as soon as the challenger is proved WORSE or BETTER, in Elo points.",
)
@click.option(
    "--truth",
    is_flag=True,
    help="Test the moves by which the first bot departs from steady: are they better in the end?",
)
@click.option(
    "--worlds",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    help="With --truth: the games that are played out for each such move.",
)
@click.option(
    "--time",
    "timed",
    is_flag=True,
    help="Time the thoughts of the first bot, one for each deal, the later the deal the later in the game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as one JSON object.")
def command(
    title_id: str,
    seats: int | None,
    bots: tuple[str, ...] | None,
    deals: int,
    seed: str,
    jobs: int,
    options: str,
    out: Path | None,
    sprt: tuple[float, float] | None,
    truth: bool,
    worlds: int,
    timed: bool,
    as_json: bool,
) -> None:
    """Play whole games of TITLE between bots, and measure the strength of the first bot.

    Every deal is played from every seat. Intervals have 95 % confidence and are based on deals. Results and
    file do not depend on the number of processes; only the times do.

    With --truth, `steady` plays each deal once. Some of its decisions are put to the first bot, which thinks.
    Where it plays otherwise, both moves are played to the end in the same worlds, with the same dice. The
    gain in victories that the bot claims is printed beside the true one.

    With --time, `steady` plays the deals as well, and no game is measured. The figures are processor
    time, so run nothing else meanwhile.
    """
    bots = bots or _choose_bots(truth=truth, timed=timed)
    wanted, names, given = read_table(title_id, seats, bots, options)
    if truth and timed:
        raise click.UsageError("--truth and --time are two tests. Give one of them.")
    if (truth or timed) and (out or sprt or given):
        raise click.UsageError("--truth and --time take no --out, --sprt or --options. Leave them out.")
    if timed:
        print_times(TimedThoughts(title_id, wanted, names[0], seed, deals), as_json=as_json)
        return
    if truth:
        print_truth(Examination(title_id, wanted, names[0], seed, worlds), deals, jobs, as_json=as_json)
        return
    match = Match(title_id, wanted, names, seed, given)
    old = _read_stored_games(out, match) if out else []
    began, cpu = time.monotonic(), time.process_time()
    with ExitStack() as stack:
        step = stack.enter_context(progress("Playing", deals * match.seats))
        file = stack.enter_context(out.open("a", encoding="utf-8")) if out else None

        def keep(game: PlayedGame) -> None:
            if file is not None:
                file.write(_format_line(game))
                file.flush()

        games, verdict = _play(match, deals, old, jobs, sprt, keep, step)
    _print_result(match, games, verdict, as_json=as_json)
    fresh = sum(game.commands for game in games[len(old) :])
    seconds = time.monotonic() - began
    if fresh and not as_json:
        alone = f", {1e6 * (time.process_time() - cpu) / fresh:.0f} us CPU a command" if jobs == 1 else ""
        click.echo(f"  took           {seconds:.1f} s for {len(games) - len(old)} games{alone}")
    sys.exit(1 if verdict == "worse" else 0)


def _choose_bots(*, truth: bool, timed: bool) -> tuple[str, str]:
    """Return the bots where none are named: the weakest that the measurement makes sense for."""
    return ("strong" if timed else "brisk" if truth else "steady", "steady" if truth or timed else "random")


def _read_stored_games(path: Path, match: Match) -> list[PlayedGame]:
    """Return the games of an older run; a last line that was cut off is dropped.

    Raises a ClickException where they are of another match.
    """
    if not path.exists():
        return []
    whole, _, rest = path.read_bytes().rpartition(b"\n")
    if rest:
        path.write_bytes(whole + b"\n" if whole else b"")
    try:
        games = [msgspec.json.decode(line, type=PlayedGame) for line in whole.splitlines()]
    except msgspec.MsgspecError as error:
        raise click.ClickException(
            f"{path} is not a file of `rutter arena` ({error}). Choose another --out."
        ) from None
    for game, (deal, seat) in zip(games, _generate_order(match), strict=False):
        setting = (game.title, game.seats, game.seed, game.deal, game.challenger, game.bots)
        if setting != (match.title, match.seats, match.seed, deal, seat, match.table(seat)):
            raise click.ClickException(f"{path} holds other games. Choose another --out, or delete the file.")
    return games


def _generate_order(match: Match) -> Iterator[tuple[int, int]]:
    deal = 0
    while True:
        for seat in range(match.seats):
            yield deal, seat
        deal += 1


def _play(
    match: Match,
    deals: int,
    old: list[PlayedGame],
    jobs: int,
    sprt: tuple[float, float] | None,
    keep: Callable[[PlayedGame], None],
    step: Callable[[int], None],
) -> tuple[list[PlayedGame], str | None]:
    """Return all games in order, and the verdict of a sequential test.

    The test runs after each deal, so it stops at the same deal for any number of jobs.
    """
    games: list[PlayedGame] = []
    wanted = list(islice(_generate_order(match), deals * match.seats))
    with ExitStack() as stack:
        if jobs > 1:
            pool = ProcessPoolExecutor(jobs)
            stack.callback(pool.shutdown, cancel_futures=True)
            fresh = pool.map(partial(_play_one, match), wanted[len(old) :])
        else:
            fresh = map(partial(_play_one, match), wanted[len(old) :])
        for number in range(len(wanted)):
            if number < len(old):
                games.append(old[number])
            else:
                games.append(next(fresh))
                keep(games[-1])
            step(1)
            verdict = _verdict(match, games, sprt) if len(games) % match.seats == 0 else None
            if verdict is not None:
                return games, verdict
    return games, None


def _play_one(match: Match, which: tuple[int, int]) -> PlayedGame:
    return play(match, *which)


def _verdict(match: Match, games: list[PlayedGame], sprt: tuple[float, float] | None) -> str | None:
    if sprt is None:
        return None
    deals = [games[at : at + match.seats] for at in range(0, len(games), match.seats)]
    found = likelihood(deals, *sprt)
    return "better" if found >= SURE else "worse" if found <= -SURE else None


def _format_line(game: PlayedGame) -> str:
    return json.dumps(msgspec.to_builtins(game), sort_keys=True, separators=(",", ":")) + "\n"


def _print_result(match: Match, games: list[PlayedGame], verdict: str | None, *, as_json: bool) -> None:
    summary = summarize_games(games)
    if as_json:
        click.echo(
            json.dumps({**msgspec.to_builtins(match), **msgspec.to_builtins(summary), "verdict": verdict})
        )
        return
    click.echo(f"{match.bots[0]} against {', '.join(match.bots[1:])}: {match.title}, {match.seats} seats")
    click.echo(f"  games          {summary.games} ({summary.deals} deals, each from every seat)")
    click.echo(
        f"  won            {summary.won:.1f}: {summary.share:.3f} ({summary.low:.3f} to {summary.high:.3f}), "
        f"chance {summary.luck:.3f}"
    )
    click.echo(
        f"  beaten         {summary.beaten:.3f} of the others: "
        f"{summary.elo:+.0f} Elo ({summary.elo_low:+.0f} to {summary.elo_high:+.0f})"
    )
    click.echo(f"  margin         {summary.margin:+.2f} points a game")
    click.echo(f"  length         {summary.commands:.0f} commands a game")
    click.echo(f"  refused        {summary.rejected} moves")
    if verdict is not None:
        click.echo(f"  sequential     {verdict}")
