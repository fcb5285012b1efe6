"""The history accounts for Credits, resources, colonists, pirates, levels and the final points."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from events.titles.colonies.data import RESOURCE
from tests.titles.accounting import unexplained
from tests.titles.table import Table, play

COLOUR = {resource: colour for colour, resource in RESOURCE.items()}


def accounts(view):
    """What a spectator sees where Credits are open, by seat; pirates by the name of the route."""
    found = {("credits", seat): amount for seat, amount in enumerate(view["credits"])}
    found |= {("colonists", seat): amount for seat, amount in enumerate(view["colonists"])}
    for seat, stock in enumerate(view["stocks"]):
        found |= {(colour, seat): count for colour, count in stock.items()}
    for seat, levels in enumerate(view["levels"]):
        found |= {(technology.capitalize(), seat): level for technology, level in levels.items()}
    for owner, routes in view["pirates"].items():
        found |= {("pirates", f"{owner} {source}"): count for source, count in routes.items()}
    for score in view["scores"]:
        found |= {("points", score["seat"]): score["total"]}
    return found


class Told:
    """A reading by a regular expression with groups: ``who``, ``goods``, ``n``, ``owner``, ``source``."""

    def __init__(self, pattern: str, *changes: str) -> None:
        self.pattern = re.compile(pattern.replace("WHO", r"(?P<who>Seat \d|Blue|Green|Yellow|Purple|Red)"))
        self.changes = changes
        self.seats: dict[str, int] = {}

    def seat(self, name: str) -> int | None:
        return int(name[-1]) if name.startswith("Seat") else self.seats.get(name)

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        for found in self.pattern.finditer(sentence):
            for change in self.changes:
                yield from self.one(change[0], change[1:], found)

    def one(
        self, sign: str, what: str, found: re.Match[str]
    ) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        factor = -1 if sign == "-" else 1
        if what == "route":
            route = f"{found['owner']} {found['source']}".lower()
            yield ("pirates", route), "+", factor * int(found["n"])
            return
        seat = self.seat(found["who"])
        if seat is None:  # a neutral planet
            return
        if what == "goods":
            for count, colour in re.findall(r"(\d+) (blue|green|yellow|purple|red)", found["goods"]):
                yield (colour, seat), "+", factor * int(count)
        elif what == "level":
            yield (found["technology"], seat), "=", int(found["n"])
        elif what in COLOUR:
            yield (COLOUR[what], seat), "+", int(found["n"])
        else:
            yield (what, seat), "=" if sign == "=" else "+", factor * int(found["n"])


ROUTE = r"(?P<n>\d+) from (?P<owner>\w+)'s (?P<source>\w+) route"
GOODS = r"(?P<goods>\d+ (?:blue|green|yellow|purple|red)(?:(?:, | and )\d+ [bgypr][a-z]+)*)"
REMOVED = Told(ROUTE, "-route")
BANK = [
    Told(r"WHO.*?[ :]receives (?P<n>\d+) € from the bank", "+credits"),
    Told(r"WHO.*?[ :]pays (?P<n>\d+) € to the bank", "-credits"),
]


class Between(Told):
    """Credits that go from one seat to another, told of the first seat of the sentence."""

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        first = re.match(r"Seat (\d)", sentence)
        for found in re.finditer(r"(receives|pays) (\d+) € (?:from|to) Seat (\d)", sentence):
            amount = int(found[2]) * (1 if found[1] == "receives" else -1)
            yield ("credits", int(first[1])), "+", amount
            yield ("credits", int(found[3])), "+", -amount


class Paid(Told):
    """Credits that a planet pays to its partners, one after the other."""

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        for payer, paid in re.findall(r"\b([A-Z]\w+) pays (.*?\))\.", sentence):
            for amount in re.findall(r"[A-Z]\w+ (\d+) €", paid):
                if payer in self.seats:
                    yield ("credits", self.seats[payer]), "+", -int(amount)


READINGS = {
    "ResourcesProduced": [Told(rf"WHO (?P<n>\d+) {resource} \(", f"+{resource}") for resource in COLOUR],
    "ColonistsReceived": [
        Told(r"WHO receives (?P<n>\d+) colonist", "+colonists"),
        Told(r"WHO receives .* and (?P<n>\d+) €", "+credits"),
    ],
    "VotesRevealed": [Told(r"WHO (?:yes|no) with \d+ \((?P<goods>[^)]*)\)", "-goods")],
    "EventRewardChosen": [Told(r"WHO takes (?P<n>\d+) €", "+credits")],
    "EventEffectApplied": [
        *BANK,
        Between(""),
        Told(
            rf"WHO.*?[ :]takes {GOODS}",
            "+goods",
        ),
        Told(
            rf"WHO.*?[ :]gives {GOODS}",
            "-goods",
        ),
        Told(r"WHO.*?[ :]takes (?P<n>\d+) colonist", "+colonists"),
        Told(r"WHO.*?[ :]returns (?P<n>\d+) colonist", "-colonists"),
        Told(r"(?P<owner>\w+)'s (?P<source>\w+) route gets (?P<n>\d+) pirate", "+route"),
        Told(r"(?P<owner>\w+)'s (?P<source>\w+) route loses (?P<n>\d+) pirate", "-route"),
        Told(r"WHO.*?(?P<technology>\w+) is now at level (?P<n>\d+)", "=level"),
    ],
    "RefugeProvided": [
        REMOVED,
        Told(r"WHO provides .*, gaining (?P<goods>[^;]*);", "+goods"),
        Told(r"WHO provides .*; (?P<n>\d+) becomes? ", "+colonists"),
    ],
    "PiratesHunted": [REMOVED, Told(r"; WHO pays (?P<n>\d+) €", "-credits")],
    "ResourcesSold": [Told(r"WHO sells (?P<goods>.*) for (?P<n>\d+) €", "-goods", "+credits")],
    "ProductionPeaked": [
        Told(r"WHO has .*peak: (?P<goods>.*)", "+goods"),
        Told(r"WHO has .*?(?P<n>\d+) colonist", "+colonists"),
    ],
    "TechnologyUpgraded": [
        Told(r"WHO upgrades (?P<technology>\w+) to level (?P<n>\d+)", "=level"),
        Told(r"WHO upgrades .* for (?P<goods>.*?colonists?)", "-goods"),
        Told(r"WHO upgrades .*?(?P<n>\d+) colonist", "-colonists"),
        Told(r"WHO upgrades .*, buying (?P<goods>.*) for (?P<n>\d+) €", "+goods", "-credits"),
    ],
    "SectorPoliced": [REMOVED],
    "TradeAgreementsFulfilled": [
        Told(r"WHO receives (?P<goods>[^;.]*)", "+goods"),
        Told(r"WHO receives [^;.]*?and (?P<n>\d+) €", "+credits"),
        Told(r"WHO gives (?P<goods>[^.]*)\.", "-goods"),
        Paid(""),
        Told(r"from (?P<owner>\w+)'s (?P<source>\w+) route \((?P<n>\d+) pirate", "-route"),
    ],
    "GameEnded": [Told(r"WHO (?P<n>\d+) points", "=points")],
}


class Hunted(Told):
    """What the hunted pay goes to the hunter."""

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        hunter = re.match(r"Seat (\d)", sentence)
        for found in re.finditer(r"; Seat \d pays (\d+) €", sentence):
            yield ("credits", int(hunter[1])), "+", int(found[1])


class Turned(Told):
    """Colonists of a seat that turn pirates on its own routes."""

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        found = re.match(r"Seat (\d)'s (\d+) colonist", sentence)
        planets = {seat: planet for planet, seat in self.seats.items()}
        yield ("colonists", int(found[1])), "+", -int(found[2])
        for count, source in re.findall(r"(\d+) on the (\w+) route", sentence):
            yield ("pirates", f"{planets[int(found[1])]} {source}".lower()), "+", int(count)


class Fees(Told):
    """The fees of negotiations go to the partners of unilateral steps, 1 € each; a neutral one has none."""

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        payer = re.match(r"Seat (\d)", sentence)
        for partner in re.findall(r"(\w+): (?:export|import) [+−]1 ", sentence):
            yield ("credits", int(payer[1])), "+", -1
            yield ("credits", self.seats[partner]), "+", 1


READINGS["PiratesHunted"].append(Hunted(""))
READINGS["PiratesPlaced"] = [Turned("")]
READINGS["TradeAgreementsAdjusted"] = [Fees("")]


@pytest.mark.parametrize("seats", [3, 5])
def test_history_accounts_for_everything(seats):
    """The sentences alone tell all Credits, stocks, colonists, pirates, levels and points."""
    game = play(Table("colonies", seats, (("credits_visibility", "open"),)), seed=4, keep=True)
    planets = {planet.capitalize(): seat for seat, planet in enumerate(game.state.planets)}
    for readings in READINGS.values():
        for reading in readings:
            reading.seats = planets
    running = [moment for moment in game.moments if not game.title.in_setup(moment.state)]
    game.moments[:] = running
    assert list(unexplained(game, READINGS, accounts)) == []
