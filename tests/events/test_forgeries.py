"""Forgers who hold the service's key, chain everything again and sign: the rules find out what they write.

In every example the honest file, untouched, is accepted.
"""

import base64
import json
import re
from functools import cache

import msgspec
import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.base.timestamps import add_milliseconds
from events.clocks.absence_policy import Absence
from events.proof import canonical
from events.proof.randomness import Seed, mac, tag, u32
from events.rules.bot_names import BotVersion
from events.table import commit_reveal
from events.table.commands import command_rules
from events.table.commands.leaving import TableLeave
from events.table.record import BotRun, canonical_command
from events.table.terms import Terms
from ops import cli
from tests.events.forging import ORIGIN, SIGNER, STRANGER, Forgery, Table

SEED = Seed(b"1234", bytes(16))
ALONE = Terms(absence=Absence(least_people=1))
"""A game that goes on when one player is left."""


@pytest.fixture
def verdict(tmp_path):
    """``(lines, *words) -> (exit status, what was said)`` of `rutter verify`, the service's key pinned."""

    def run(lines, *words, key=SIGNER.vkey):
        file = tmp_path / "game.ndjson"
        file.write_bytes(lines if isinstance(lines, bytes) else b"".join(lines))
        pinned = ("--key", key) if key else ()
        result = CliRunner().invoke(cli.rutter, ["verify", str(file), *pinned, *words])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        if result.exit_code == 1:
            assert re.fullmatch(r"BAD: [^\n]*\n", result.output), result.output
        return result.exit_code, result.output

    return run


@cache
def whole():
    """A whole game of a person and a bot."""
    return tuple(Table(commits=[0], reveals=[0]).begin().play().lines())


@cache
def half():
    """What seat 0 holds of a game under way: two rounds have been played."""
    return tuple(Table().begin().play(4).lines(0))


@cache
def cards():
    """A whole game with open commands, hidden hands and several dice."""
    return tuple(Table("colonial_empires", (None, "random", None)).begin().play().lines())


@pytest.fixture
def forged():
    """The whole game, in the hands of a forger."""
    return Forgery(whole())


@pytest.fixture
def copied():
    """Seat 0's copy, in the hands of a forger."""
    return Forgery(half())


@pytest.mark.parametrize("lines", [whole, cards])
def test_honest_games_are_accepted(verdict, lines):
    """The controls: what a forger leaves alone is accepted, also when it is chained and signed again."""
    for words in ((), ("--bots",)):
        assert verdict(lines(), *words)[0] == 0
    assert Forgery(lines()).lines() == list(lines())


def test_honest_copies_are_accepted(verdict):
    """A seat's copy needs its flag, and is accepted with it."""
    assert verdict(half(), "--partial")[0] == 0
    assert verdict(half())[0] == 1


# --- batches and the creation ------------------------------------------------------------------------


def join_batch(forgery, count, *, causes=False):
    """Put the first *count* events under the command, time and actor of event 1."""
    first = forgery.events[0]["body"]
    for event in forgery.events[1:count]:
        body = event["body"] | {name: first[name] for name in ("cmd", "at", "by", "v")}
        if not causes:
            for name in ("command", "draws", "bot"):
                body.pop(name, None)
            for name in [n for n in body.get("hid", ()) if n.endswith(("_command", "_bot"))]:
                del body["hid"][name], event["parts"][name]
            if body.get("hid") == {}:
                del body["hid"]
        event["body"] = body


def test_a_false_winner_within_the_creation(verdict, forged):
    """A creation that begins the game and ends it at once: its first event too many is named."""
    begun, closed = forged.index("TableBegun"), forged.index("TableClosed")
    forged.events = [*forged.events[:4], forged.events[begun], forged.events[closed]]
    forged.events[3:4] = []
    join_batch(forged, len(forged.events))
    forged.first("TableClosed")["data"]["winners"] = [1]
    status, said = verdict(forged.lines())
    assert status == 1
    assert "TableBegun does not belong to a creation" in said


def test_the_whole_game_under_one_command(verdict, forged):
    """Every event under the command of event 1, so that nothing would be decided."""
    join_batch(forged, len(forged.events))
    assert verdict(forged.lines())[0] == 1


def test_several_causes_in_one_batch(verdict, forged):
    """The same with the commands and draws left where they were."""
    join_batch(forged, len(forged.events), causes=True)
    status, said = verdict(forged.lines())
    assert status == 1
    assert "two causes in one batch" in said


def test_the_beginning_within_the_creation(verdict, forged):
    """The game begins with another randomness, in the batch that nobody decides but the creation."""
    begun = forged.index("TableBegun")
    del forged.events[3:begun]
    forged.first("TableBegun")["data"]["mix"] = "00" * 32
    join_batch(forged, 4)
    assert verdict(forged.lines())[0] == 1


@pytest.mark.parametrize("kind", ["whole", "copy"])
def test_a_second_opening(verdict, forged, copied, kind):
    """A table opened again in mid-game would make all that follows another game."""
    forgery = forged if kind == "whole" else copied
    again = json.loads(json.dumps(forgery.events[0]))
    after = forgery.events[-3]["body"]
    again["body"] |= {"at": after["at"], "cmd": "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90", "v": 1}
    forgery.events.insert(len(forgery.events) - 2, again)
    status, said = verdict(forgery.lines(), "--partial")
    assert status == 1
    assert f"event {len(forgery.events) - 2}: a game is opened once" in said


def taken(forgery):
    return [event for event in forgery.events[:6] if event["body"]["t"] == "SeatTaken"]


@pytest.mark.parametrize(
    "change",
    [
        lambda f: taken(f)[1]["body"]["data"].update(seat=0),
        lambda f: f.events.__setitem__(slice(1, 4), [f.events[3], f.events[1], f.events[2]]),
        lambda f: taken(f)[1]["body"]["data"].update(bot="deep_blue"),
        lambda f: taken(f)[1]["body"]["data"].update(key="ab" * 32),
        lambda f: taken(f)[0]["body"]["data"].update(who="short"),
        lambda f: taken(f)[1]["body"]["data"].update(seat=2),
        lambda f: f.events.__delitem__(2),
    ],
    ids=["twice", "falling", "unknown bot", "a bot with a key", "bad who", "no such seat", "no commitment"],
)
def test_seats_of_the_creation(verdict, forged, change):
    """Seats are taken in rising order, once, by bots that there are."""
    change(forged)
    assert verdict(forged.lines())[0] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"options": {"faster": True}},
        {"seats": 17},
        {"seats": 3},
        {"seats": 10**9},
        {"draws": 0},
        {"draws": 2**40},
        {"proto": 1},
        {"contributions": "some"},
        {"director": "zz"},
        {"beacon": {"chain": "00" * 32, "after": 1}},
        {"reveal_by_ms": 59_999},
        {"clock": {"kind": "fischer"}},
        {"rated": 1},
        {"service": "other.example/log"},
        {"data_hash": "00" * 32},
        {"invited": [None, "AAAA"]},
        {"undo": "own"},
        {"undo": None},
        {"talk": "loud"},
        {"talk": True},
        {"more": 1},
        {"chance": {"s_0": "xyz", "deal": "00" * 32, "hide": "00" * 32, "bot": "00" * 32}},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["whole", "copy"])
def test_fields_of_the_creation(verdict, forged, copied, change, kind):
    """Every field of the creation is decided again, in whole games and copies, before it is used."""
    forgery = forged if kind == "whole" else copied
    forgery.events[0]["body"]["data"].update(change)
    status, said = verdict(forgery.lines(), "--partial")
    assert (status, said.startswith("BAD: event 1: ")) == (1, True), said


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("seeded", [False, True])
def test_analysis_is_computed(verdict, seeded, partial):
    """A seeded game, or one from a position, that calls itself ordinary is refused at event 1."""
    played = Table(seed=SEED).begin().play(2)
    position = None if seeded else played.title.position(played.game.state)
    origin = None if seeded else {"game": played.game.id, "seq": 5}
    for key in (SEED,) if seeded else (None, SEED):
        table = Table(seed=key, position=position, origin=origin).begin().play(3 if partial else 1000)
        lines = table.lines(0 if partial else None)
        assert verdict(lines, "--partial")[0] == 0
        forgery = Forgery(lines)
        forgery.first("TableOpened")["data"]["analysis"] = False
        status, said = verdict(forgery.lines(), "--partial")
        assert (status, "event 1: analysis" in said) == (1, True)


def test_an_origin_without_a_position(verdict, forged):
    """A fork begins from a position; an origin alone makes nothing ordinary either."""
    for analysis in (True, False):
        forged.first("TableOpened")["data"].update(
            origin={"game": forged.header["game"], "seq": 3}, analysis=analysis, rated=not analysis
        )
        status, said = verdict(forged.lines())
        assert (status, said.startswith("BAD: event 1")) == (1, True)


def test_games_for_analysis_say_so(verdict):
    """An honest seeded game is accepted, and its first line says that it proves nothing to others."""
    lines = Table(seed=SEED).begin().play().lines()
    status, said = verdict(lines)
    assert status == 0
    assert said.startswith("OK, ANALYSIS: ")
    assert "kind           analysis: seeded" in said
    assert verdict(lines, "--require", "ordinary")[0] == 1


# --- copies: public draws against the facts that show them -------------------------------------------


def test_a_face_that_was_not_drawn(verdict, copied):
    """The draw is honest, the fact shows another face: fact and field are named."""
    body = copied.first("IslandSighted", 1)
    body["data"]["worth"] = body["data"]["worth"] % 6 + 1
    status, said = verdict(copied.lines(), "--partial")
    assert status == 1
    assert "IslandSighted" in said
    assert "worth" in said


def test_a_draw_that_is_left_out(verdict, copied):
    """A die that no draw stands behind."""
    for body in copied.batches():
        if "draws" in body and body["t"] != "TableBegun":
            del body["draws"]["public"]
    assert verdict(copied.lines(), "--partial")[0] == 1


def test_a_draw_where_nothing_is_rolled(verdict, copied):
    """The draw stands with another command."""
    rolls = [body for body in copied.batches() if "public" in body.get("draws", {})][1]
    others = [body for body in copied.batches() if body["t"] == "SailChosen" and "draws" not in body]
    others[0]["draws"] = {"public": rolls["draws"].pop("public")}
    status, said = verdict(copied.lines(), "--partial")
    assert status == 1
    assert "shown by no fact" in said


@pytest.mark.parametrize("repeat", [False, True])
def test_draws_in_another_order(verdict, copied, repeat):
    """Two draws exchanged, or one used twice."""
    rolls = [body["draws"] for body in copied.batches() if "public" in body.get("draws", {})]
    first, second = rolls[0]["public"], rolls[1]["public"]
    rolls[1]["public"] = first
    if not repeat:
        rolls[0]["public"] = second
    assert verdict(copied.lines(), "--partial")[0] == 1


def test_an_empty_roll_uses_no_draw(verdict):
    """A fact whose tuple of dice is empty shows no draw: the honest copy of a game with such facts holds."""
    table = Table("colonial_revised", ("steady", "steady", None)).begin().play(60)
    empty = [
        name
        for record in table.records
        if (kind := table.title.fact_type(record.type)) and kind.drawn
        for name in kind.drawn
        if json.loads(record.body)["data"].get(name) == []
    ]
    assert verdict(table.lines(2), "--partial")[0] == 0
    assert empty or table.game.public_draws


# --- form --------------------------------------------------------------------------------------------

SPELLINGS = {
    "white space": lambda text: text.replace(",", ", ", 1),
    "key order": lambda text: text[:-1].replace('"at":', '"zz":', 1) + "}",
    "escape": lambda text: text.replace('"game":"', '"game":"', 1).replace('"sys"', '"\\u0073ys"', 1),
    "twice": lambda text: text[:-1] + ',"v":2}',
    "float": lambda text: text.replace('"n":1,', '"n":1.0,', 1),
    "great number": lambda text: text.replace('"draws":4096', '"draws":9007199254740993', 1),
    "key": lambda text: text.replace('"options":{}', '"options":{"A":1}', 1),
    "surrogate": lambda text: text.replace('"sys"', '"\\ud800"', 1),
    "deep": lambda text: text.replace('"options":{}', f'"options":{"[" * 100_000}{"]" * 100_000}', 1),
    "unbalanced": lambda text: text.replace('"options":{}', f'"options":{"[" * 200}', 1),
}


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("kind", ["whole", "copy"])
def test_bodies_are_canonical(verdict, forged, copied, name, kind):
    """One value has one spelling: anything else is refused at its event, in both modes."""
    forgery = forged if kind == "whole" else copied
    text = canonical.encode(forgery.events[0]["body"]).decode()
    spelt = SPELLINGS[name](text)
    assert spelt != text
    forgery.texts[0] = spelt
    status, said = verdict(forgery.lines(), "--partial")
    assert (status, said.startswith("BAD: event 1: ")) == (1, True)


@pytest.mark.parametrize("at", [0, 5, -1])
def test_lines_are_canonical(verdict, at):
    """The lines around the bodies have one spelling too."""
    lines = list(whole())
    lines[at] = json.dumps(json.loads(lines[at])).encode() + b"\n"
    assert verdict(lines)[0] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"at": "yesterday"},
        {"at": "2026-02-30T12:00:00.000000Z"},
        {"at": "2025-01-01T12:00:00.000000Z"},
        {"cmd": "<script>alert(1)</script>"},
        {"by": "p01"},
        {"by": "p99"},
        {"by": "\x1b[2J"},
        {"by": 3},
        {"t": "<b>"},
        {"v": 2},
        {"v": True},
        {"draws": {}},
        {"draws": {"hidden": 0}},
        {"draws": {"public": []}},
        {"draws": {"hidden": 5000}},
        {"draws": {"public": [{"got": [0], "k": 2, "of": [0], "s": "00" * 32}]}},
        {"draws": {"public": [{"got": [0], "k": 2, "of": [2**64 + 1], "s": "00" * 32}]}},
        {"draws": {"public": [{"got": [6], "k": 2, "of": [6], "s": "00" * 32}]}},
        {"bot": {"budget": 0, "simulations": 0, "thought_at": 5, "version": 1, "weights": None}},
        {"bot": None},
        {"hid": {}},
        {"hid": {"p1_p0": "AAAA"}},
        {"hid": {"p0": "AAAA"}},
        {"sig": {"n": 1, "s": ""}},
        {"clock": {}},
        {"more": 1},
        {"game": "76d3ef5e-2ae3-50b0-9325-12b9ce7d9792"},
        {"data": []},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["whole", "copy"])
def test_members_of_bodies(verdict, forged, copied, change, kind):
    """Times are real and never go back, actors sit at the table, numbers keep to their limits; nothing is
    printed as it stands.
    """
    forgery = forged if kind == "whole" else copied
    index = forgery.index("SailChosen")
    forgery.events[index]["body"].update(change)
    if any(isinstance(value, int) and abs(value) > 2**53 for value in _numbers(change)):
        forgery.texts[index] = json.dumps(
            forgery.events[index]["body"] | {"n": index + 1}, sort_keys=True, separators=(",", ":")
        )
    status, said = verdict(forgery.lines(), "--partial")
    assert (status, said.startswith(f"BAD: event {index + 1}: ")) == (1, True), said
    assert "<script>" not in said
    assert "\x1b" not in said


def _numbers(value):
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)
    else:
        yield value


def test_a_command_id_of_an_earlier_batch(verdict, forged):
    """A batch is one run of events: no command comes back."""
    batches = list(forged.batches())
    for event in forged.events:
        if event["body"]["cmd"] == batches[4]["cmd"]:
            event["body"]["cmd"] = batches[2]["cmd"]
    status, said = verdict(forged.lines())
    assert (status, "stood in an earlier batch" in said) == (1, True)


def test_seats_and_parts_of_copies(verdict, forged, copied):
    """A whole bundle is nobody's copy; a copy holds the parts of its seat, each with its digest."""
    forged.header["seat"] = 1
    assert verdict(forged.lines())[0] == 1
    other = Forgery(Table().begin().play(4).lines(1))
    index = next(n for n, event in enumerate(other.events) if "p1" in event["parts"])
    for seat, name in ((0, "p1"), (1, "p0"), (None, "p1")):
        forgery = other.copy()
        forgery.header["seat"] = seat
        forgery.events[index]["parts"] = {name: other.events[index]["parts"]["p1"]}
        status, said = verdict(forgery.lines(), "--partial")
        assert (status, f"event {index + 1}" in said or seat == 0) == (1, True), said
    copied.events[2]["parts"]["p0"] = next(e["parts"]["p0"] for e in copied.events if "p0" in e["parts"])
    assert verdict(copied.lines(), "--partial")[0] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"events": 10**9},
        {"origin": "a b"},
        {"format": "rutter-bundle/02"},
        {"title": "../x"},
        {"version": -1},
        {"scope": "all"},
        {"game": "x"},
        {"vkey": "x"},
    ],
    ids=str,
)
def test_the_header(verdict, change):
    """Every member of the header has its form."""
    lines = list(whole())
    lines[0] = canonical.encode(json.loads(lines[0]) | change) + b"\n"
    assert verdict(lines)[0] == 1


@pytest.mark.parametrize(
    "text",
    [
        b"[]\n",
        b"{" * 100_000 + b"\n",
        b'{"a":' * 40 + b"1" + b"}" * 40 + b"\n",
        b'{"\\' + b'\\"' * 400_000 + b"\n",
        b"{}\n" * 1000,
        b"{" + b" " * 1_100_000 + b"}\n",
    ],
    ids=range(6),
)
def test_what_is_no_bundle(verdict, text):
    """One line that says so, whatever the bytes."""
    assert verdict(text)[0] == 1


def test_the_file_ends_with_a_line_feed(verdict):
    """Lines end in one line feed, the last one too, and none in a carriage return."""
    text = b"".join(whole())
    assert verdict(text[:-1])[0] == 1
    assert verdict(text.replace(b"\n", b"\r\n"))[0] == 2
    assert verdict(text + b"\n")[0] == 1


# --- who moved ---------------------------------------------------------------------------------------


def cheat(change, *, seat=1, nth=1):
    """A whole game in which the *nth* move of *seat* is changed."""
    seen = []

    def think(table, move):
        seen.extend([1] * (move[0] == seat))
        return change(table, move) if move[0] == seat and len(seen) == nth else move

    return Table(think=think).begin().play().lines()


def steady(table, move):
    """A move of another bot than the one that sits there, with the right seed."""
    run = msgspec.structs.replace(move[2], name="steady")
    return move[0], move[1], run


def test_another_bot_moves(verdict):
    """The bot that moves is the one that sits there."""
    lines = cheat(steady)
    for words in ((), ("--bots",)):
        status, said = verdict(lines, *words)
        assert status == 1
        assert "the bot steady moves at the seat of random" in said


def test_a_bot_or_a_person(verdict):
    """A bot's seat moves by its bot, a person's by none."""
    status, said = verdict(cheat(lambda _table, move: (move[0], move[1], None)))
    assert (status, "no bot moved" in said) == (1, True)

    def posing(table, move):
        seed = table.secrets.bot_seed(table.game.mixed, 0, 0).hex()
        return move[0], move[1], BotRun("random", 1, 0, seed, thought_at=table.game.seq)

    status, said = verdict(cheat(posing, seat=0))
    assert (status, "at a seat without a bot" in said) == (1, True)


def other(table, seat, command):
    """Another legal command of this seat."""
    return canonical_command(next(c for c in table.title.legal(table.game.state, seat) if c != command))


def test_a_better_move_than_the_bot_thought_of(verdict):
    """The operator lets a bot make another legal move: only thinking again tells."""

    def better(table, move):
        return move[0], other(table, move[0], move[1]), move[2]

    lines = cheat(better)
    status, said = verdict(lines)
    assert status == 0
    assert "NOT recomputed" in said
    status, said = verdict(lines, "--bots")
    assert (status, "thinks of another move" in said) == (1, True)
    assert verdict(lines, "--require", "bots")[0] == 1


def test_a_bot_that_gives_up_without_need(verdict):
    """A fallback is the default move; thinking again shows whether it was needed."""

    def give_up(table, move):
        decision = next(d for d in table.title.awaited(table.game.state) if d.seat == move[0])
        default = canonical_command(table.title.default(table.game.state, decision))
        return move[0], default, msgspec.structs.replace(move[2], fallback=True)

    lines = cheat(give_up)
    assert verdict(lines)[0] == 0
    status, said = verdict(lines, "--bots")
    assert (status, "its own move was legal" in said) == (1, True)

    def not_default(table, move):
        default = give_up(table, move)
        return default[0], other(table, default[0], default[1]), default[2]

    status, said = verdict(cheat(not_default))
    assert (status, "not the default" in said) == (1, True)


@pytest.mark.parametrize("member", ["seed", "thought_at", "version"])
def test_what_a_bot_thought_with(verdict, member):
    """The seed derives from the committed key and U, the event is one at which the bot was asked, the
    version is that in which it sits there.
    """
    changed = {"seed": "00" * 32, "thought_at": 3, "version": 9}[member]
    lines = cheat(lambda _table, move: (*move[:2], msgspec.structs.replace(move[2], **{member: changed})))
    for words in ((), ("--bots",)):
        assert verdict(lines, *words)[0] == 1


@pytest.mark.parametrize("forged", ["key", "mix", "seat", "count", "secret"])
def test_the_seed_of_a_bot(verdict, forged):
    """U stands in it, so that nobody could choose the secret behind it before a contribution was in."""

    def other_seed(table, move):
        game, secrets = table.game, table.secrets
        seeds = {
            "key": mac(secrets.bot, tag("bg/bot/2"), game.key, u32(1), u32(1)),
            "mix": secrets.bot_seed(bytes(32), 1, 1),
            "seat": secrets.bot_seed(game.mixed, 0, 1),
            "count": secrets.bot_seed(game.mixed, 1, 2),
            "secret": msgspec.structs.replace(secrets, bot=secrets.deal).bot_seed(game.mixed, 1, 1),
        }
        assert move[2].seed == secrets.bot_seed(game.mixed, 1, 1).hex()
        return *move[:2], msgspec.structs.replace(move[2], seed=seeds[forged].hex())

    status, said = verdict(cheat(other_seed, nth=2))
    assert (status, "seed does not derive from the committed key and U" in said) == (1, True)


def test_another_contribution_gives_other_seeds():
    """With one and the same secret of the service: what one player adds decides how the bot chooses."""
    told = [Table(commits=[0], reveals=reveals).begin() for reveals in ([0], [])]
    assert told[0].secrets == told[1].secrets
    assert told[0].game.id == told[1].game.id
    seeds = {table.secrets.bot_seed(table.game.mixed, 1, 0) for table in told}
    assert len(seeds) == 2


def test_the_house_does_what_its_default_says(verdict, monkeypatch):
    """A house that may choose is an operator who may choose: another legal command of its is refused too."""
    table = Table("colonial", ("random",) * 4, seed=Seed(b"war0", bytes(16))).begin()
    while not any(b'"fight_year"' in record.body for record in table.records):
        table.play(1)
    lines = table.play().lines()
    assert verdict(lines)[0] == 0
    forgery = Forgery(lines)
    fought = next(body for body in forgery.batches() if body.get("command") == {"type": "fight_year"})
    usual = table.title.default

    def otherwise(state, decision):
        found = usual(state, decision)
        return (
            found
            if decision.seat is not None
            else table.title.command_type("decide_surrender")(surrender=True)
        )

    object.__setattr__(table.title, "default", otherwise)
    try:
        status, said = verdict(lines)
    finally:
        object.__setattr__(table.title, "default", usual)
    assert (status, f"event {fought['n']}: the server did not give its default command" in said) == (1, True)
    fought["by"] = "p0"
    assert verdict(forgery.lines())[0] == 1


# --- contributions -----------------------------------------------------------------------------------


def test_withheld_contributions_are_said(verdict):
    """Committed and not revealed: the game stands, the summary names the seat, the requirement fails."""
    lines = Table(commits=[0]).begin().play().lines()
    status, said = verdict(lines)
    assert (status, "withheld by 0" in said) == (0, True)
    assert verdict(lines, "--require", "contributions")[0] == 1


def test_a_required_contribution_is_missing(verdict):
    """Where contributions are required, a game with one missing does not begin."""
    forgery = Forgery(Table(commits=[0]).begin().play().lines())
    forgery.first("TableOpened")["data"]["contributions"] = "required"
    assert verdict(forgery.lines())[0] == 1


def test_nobody_contributed(verdict):
    """The service alone chose: the game follows the rules, but is no game of a tournament."""
    lines = Table().begin().play().lines()
    status, said = verdict(lines)
    assert (status, "chosen by the server alone" in said) == (0, True)
    assert verdict(lines, "--tournament")[0] == 1
    assert verdict(whole(), "--require", "whole,ordinary,contributions,bots")[0] == 0


def test_who_had_to_contribute(verdict):
    """Those who sat there when the game began: leaving later makes nothing good, a substitute nothing bad."""
    for commits, missing in (([0, 1], ""), ([0], "none from 1")):
        table = Table(seats=(None, None), commits=commits, reveals=commits, terms=ALONE).begin().play(2)
        leave = command_rules.decide(
            table.game, 1, TableLeave(), table.at, (table.secrets, table.chain), lambda _name: BotVersion(1)
        )
        table.append(leave, 1, TableLeave())
        assert table.game.seats[1].bot == "steady"
        status, said = verdict(table.play().lines(), "--require", "contributions")
        assert (status, missing in said) == (1 if missing else 0, True)


@pytest.mark.parametrize("kind", ["short", "twice", "early", "other"])
def test_reveals(verdict, kind):
    """A contribution has 32 bytes, fits, and is revealed once, when all seats are taken."""
    forgery = Forgery(Table(commits=[0], reveals=[0]).begin().play().lines())
    index = forgery.index("SeatRevealed")
    reveal = forgery.events[index]
    if kind == "short":
        reveal["body"]["data"]["contribution"] = "01" * 31
    elif kind == "other":
        reveal["body"]["data"]["contribution"] = "02" * 32
    elif kind == "twice":
        again = json.loads(json.dumps(reveal))
        again["body"]["cmd"] = "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90"
        forgery.events.insert(index + 1, again)
    else:
        forgery.events.insert(3, forgery.events.pop(index))
    assert verdict(forgery.lines())[0] == 1


def test_closed_before_the_minute_is_over(verdict):
    """Five seconds after the last seat was taken a committed seat is not missing yet."""
    forgery = Forgery(Table(commits=[0]).begin().play().lines())
    for event in forgery.events:
        if event["body"]["at"] >= "2026-03-01T12:01":
            event["body"]["at"] = event["body"]["at"].replace("T12:01", "T12:00")
    begun = forgery.first("TableBegun")
    assert begun["data"]["missing"] == [0]
    begun["at"] = "2026-03-01T12:00:06.000000Z"
    assert verdict(forgery.lines())[0] == 1


@pytest.mark.parametrize("partial", [False, True])
def test_a_reveal_that_is_called_missing(verdict, partial):
    """Anyone who leaves an honest reveal out must mix another randomness, which does not fit."""
    forgery = Forgery(Table(commits=[0], reveals=[0]).begin().play(3 if partial else 1000).lines(0))
    del forgery.events[forgery.index("SeatRevealed")]
    forgery.first("TableBegun")["data"]["missing"] = [0]
    assert verdict(forgery.lines(), "--partial")[0] == 1


def test_seats_that_are_kept(verdict):
    """A seat that is kept for somebody cannot be taken from the start; another's digest does not open it."""
    forgery = Forgery(whole())
    who = "YaD2lnh1NpRqu6L+PVJhD9o652RQTyrNZXM3SOY07no="
    forgery.first("TableOpened")["data"]["invited"] = [who, None]
    assert verdict(forgery.lines())[0] == 1


def test_abandoned_games_disclose(verdict):
    """A game that could not begin is whole; nothing follows on its end, and its secrets are told."""
    table = Table(commits=[0], terms=Terms(contributions="required"))
    table.at = add_milliseconds(table.at, 61_000)
    table.append(
        commit_reveal.abandon(
            table.game, add_milliseconds(table.at, 1000), "required_missing", table.secrets
        ),
        None,
    )
    lines = table.lines()
    status, said = verdict(lines)
    assert (status, said.startswith("ABANDONED: ")) == (0, True)
    assert "result         abandoned (required_missing)" in said
    forgery = Forgery(lines)
    del forgery.first("TableAbandoned")["data"]["disclosed"]
    assert verdict(forgery.lines())[0] == 1
    forgery = Forgery(lines)
    forgery.events.append(json.loads(json.dumps(forgery.events[-1])))
    forgery.events[-1]["body"]["cmd"] = "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90"
    assert verdict(forgery.lines())[0] == 1


# --- hidden parts ------------------------------------------------------------------------------------


def test_a_card_exchanged_before_the_end(verdict):
    """Another card in a hand, its digest made again, all signed: the first event that shows it is named."""
    forgery = Forgery(cards())
    index = next(
        n
        for n, event in enumerate(forgery.events)
        if event["body"]["t"] == "StartingHandDealt" and event["parts"]["p0"]["body"]["cards"]
    )
    part = json.loads(json.dumps(forgery.events[index]["parts"]["p0"]["body"]))
    part["cards"] = part["cards"][::-1] if part["cards"] != part["cards"][::-1] else part["cards"][1:]
    forgery.part(index, "p0", part)
    status, said = verdict(forgery.lines())
    assert (status, f"BAD: event {index + 1}: " in said) == (1, True), said


def test_a_salt_of_ones_own(verdict, forged):
    """Salts derive from the committed key, so that nobody can open a digest in two ways."""
    index = forged.index("SailsDealt")
    (name,) = forged.events[index]["parts"]
    forged.events[index]["parts"][name]["salt"] = "A" * 43 + "="
    forged.part(index, name, forged.events[index]["parts"][name]["body"])
    assert verdict(forged.lines())[0] == 1


def test_a_hidden_command_without_a_type(verdict, forged):
    """It is no command, even for those who may read it."""
    index = next(n for n, event in enumerate(forged.events) if "p0_command" in event["parts"])
    forged.part(index, "p0_command", {"sail": 6})
    assert verdict(forged.lines()) == (1, f"BAD: event {index + 1}: its command is not valid\n")


# --- keys --------------------------------------------------------------------------------------------


def test_a_foreign_key(verdict, forged):
    """Without a pinned key the signer is unknown, and the summary says so; with one a stranger is refused."""
    lines = forged.lines(key=STRANGER)
    status, said = verdict(lines, key=None)
    assert (status, "NOT PINNED" in said) == (3, True)
    assert verdict(lines)[0] == 1
    assert verdict(lines, key=STRANGER.public.hex())[0] == 0
    assert verdict(lines, key=SIGNER.public.hex())[0] == 1


def test_unknown_signatures_are_ignored(verdict, forged):
    """A line of another key stands before ours; a false line under our key's id is refused."""
    lines = forged.lines()
    receipt = json.loads(lines[-1])
    text, ours = receipt["note"].split("\n\n")
    theirs = STRANGER.line(text + "\n")
    signed = base64.b64decode(ours.rpartition(" ")[2])
    of_another, altered = (
        f"{ours.rpartition(' ')[0]} {base64.b64encode(bytes(one)).decode()}\n"
        for one in ([signed[0] ^ 1, *signed[1:]], [*signed[:-1], signed[-1] ^ 1])
    )
    sealed = {"kind": "receipt", "note": f"{text}\n\n{theirs}{ours}"}
    assert verdict([*lines[:-1], canonical.encode(sealed) + b"\n"])[0] == 0
    for note in (f"{text}\n\n{theirs}{of_another}", f"{text}\n\n{altered}", f"{text}\n\n{ours}{ours}"):
        sealed = {"kind": "receipt", "note": note}
        assert verdict([*lines[:-1], canonical.encode(sealed) + b"\n"])[0] == 1


SPELT = {
    "text behind": lambda note: note + "more\n",
    "leading zero": lambda note: note.replace(f"\n{len(whole()) - 2}\n", f"\n0{len(whole()) - 2}\n"),
    "base64": lambda note: note.replace("=\n", "\n", 1),
    "carriage returns": lambda note: note.replace("\n", "\r\n"),
    "65 signatures": lambda note: note + note.split("\n\n")[1] * 64,
    "a line more": lambda note: note.replace("\n\n", "\nmore\n\n"),
    "deadline": lambda note: "\n".join([*note.split("\n")[:7], "1800000061", *note.split("\n")[8:]]),
}


@pytest.mark.parametrize("name", SPELT)
def test_notes_are_read_strictly(verdict, name):
    """A note has one spelling."""
    lines = list(whole())
    note = json.loads(lines[-1])["note"]
    spelt = SPELT[name](note)
    assert spelt != note
    lines[-1] = canonical.encode({"kind": "receipt", "note": spelt}) + b"\n"
    assert verdict(lines)[0] == 1
    assert verdict(lines, key=None)[0] == 1


def test_the_receipt_names_this_history(verdict, forged):
    """A receipt for another event, head, command or game is none for this file."""
    for told in ({"n": 5}, {"head": bytes(32)}, {"cmd": "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90"}):
        assert verdict(forged.lines(**told))[0] == 1
    assert ORIGIN in verdict(forged.lines())[1]


# --- signed moves ------------------------------------------------------------------------------------


def signing(title="example", change=None, nth=3, moves=1000, **more):
    """A game whose seat 0 signs; *change* is made to its *nth* signature."""
    key, seen = Ed25519PrivateKey.from_private_bytes(bytes(range(64, 96))), []

    def sign(table, signature):
        seen.append(signature)
        return change(table, signature, seen) if change and len(seen) == nth else signature

    table = Table(title, (None, "random") if title == "example" else (None, "random", None), keys={0: key})
    table.signing = sign
    return table.begin().play(moves)


@pytest.mark.parametrize("title", ["example", "colonial_empires"])
def test_signed_moves(verdict, title):
    """A seat with a key signs what it does, and the summary names it; the signature of a sealed command is
    hidden, so that nobody can test guesses of the command.
    """
    lines = signing(title).lines()
    status, said = verdict(lines)
    assert (status, "signed: seat 0; " in said) == (0, True), said
    assert verdict(signing(title, moves=FEW[title]).lines(1), "--partial")[0] == 0
    for line in signing(title, moves=FEW[title]).lines(1)[1:-1]:
        told = json.loads(line)
        body = json.loads(told["body"])
        assert not ("sig" in body and "p0_command" in body.get("hid", {}))
        assert "p0_sig" not in told.get("parts", {})


FEW = {"example": 5, "colonial_empires": 30}
"""Moves after which these games are not over yet."""
OPEN = {"example": 3, "colonial_empires": 4}
"""The number of an early command of seat 0 that is open: others do not see the signature of a sealed one."""
FALSE = {
    "none": lambda _table, _signature, _seen: None,
    "of another command": lambda _table, _signature, seen: seen[0],
    "on another event": lambda _table, signature, _seen: msgspec.structs.replace(
        signature, n=signature.n - 1
    ),
    "an event to come": lambda _table, signature, _seen: msgspec.structs.replace(
        signature, n=signature.n + 1
    ),
    "an old event": lambda _table, signature, _seen: msgspec.structs.replace(signature, n=2),
    "a bit changed": lambda _table, signature, _seen: msgspec.structs.replace(
        signature, s="B" + signature.s[1:] if signature.s[0] != "B" else "C" + signature.s[1:]
    ),
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("title", ["example", "colonial_empires"])
def test_false_signatures(verdict, name, title):
    """A command of a signed seat without signature, or with one for another command or place in history."""
    nth = OPEN[title]
    table = signing(title, FALSE[name], nth=nth)
    assert verdict(table.lines())[0] == 1
    copy = signing(title, FALSE[name], nth=nth, moves=FEW[title])
    assert verdict(copy.lines(0), "--partial")[0] == 1
    if title == "colonial_empires":
        assert verdict(copy.lines(1), "--partial")[0] == 1


def test_a_signature_where_there_is_no_key(verdict):
    """Who has no key signs nothing."""
    forgery = Forgery(cards())
    body = next(body for body in forgery.batches() if body["by"] == "p0" and "command" in body)
    body["sig"] = {"n": 1, "s": "A" * 86 + "=="}
    assert verdict(forgery.lines())[0] == 1
