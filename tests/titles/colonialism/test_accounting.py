"""The history accounts for cubes, discs, mercenaries and natives, and for the final scores."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from events.titles.colonialism.data import COLORS, NAMES, REGION_IDS
from tests.titles.accounting import reads, unexplained
from tests.titles.table import Table, play

PLACES = {NAMES[key]: key for key in REGION_IDS}
PLACE = "|".join(map(re.escape, PLACES))


def accounts(view):
    """What a spectator sees: cubes collected by seat and colour, and who has what in which region."""
    found = {}
    for seat, player in enumerate(view["players"]):
        found |= {(color, seat): count for color, count in player["collected"].items()}
    for key, at in view["regions"].items():
        found |= {("natives", key): at["natives"]}
        found |= {("discs", f"{key} {seat}"): count for seat, count in enumerate(at["discs"])}
        found |= {("mercenaries", f"{key} {seat}"): count for seat, count in enumerate(at["mercenaries"])}
        found |= {(f"{color} there", key): count for color, count in at["cubes"].items()}
    found |= {("score", s["seat"]): s["score"] for s in view["standings"]}
    return found


class Pieces:
    """A reading of pieces of a faction in a region: groups ``a`` (seat) or natives, ``n``, ``place``."""

    def __init__(self, pattern: str, what: str, sign: int) -> None:
        filled = pattern.replace("SEAT", r"Seat (?P<a>\d)").replace("PLACE", f"(?P<place>{PLACE})")
        self.pattern, self.what, self.sign = re.compile(filled), what, sign

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        for found in self.pattern.finditer(sentence):
            words = found.groupdict()
            key = PLACES[words["place"]]
            whose = key if self.what == "natives" else f"{key} {words['a']}"
            yield (self.what, whose), "+", self.sign * int(words.get("n") or 1)


class Lying:
    """Cubes that come to a region or leave it."""

    def __init__(self, pattern: str, sign: int) -> None:
        self.pattern, self.sign = re.compile(pattern.replace("PLACE", f"(?P<place>{PLACE})")), sign

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        for found in self.pattern.finditer(sentence):
            for count, color in re.findall(rf"(\d+|a) ({'|'.join(COLORS)})", found["cubes"]):
                yield (
                    (f"{color} there", PLACES[found["place"]]),
                    "+",
                    self.sign * (1 if count == "a" else int(count)),
                )


CUBES = r"(?P<cubes>[^.]*?)"
READINGS = {
    "ResourcesDrawn": [Lying(rf"PLACE receives {CUBES} from the bag", 1)],
    "NativesRolled": [Pieces(r"PLACE receives (?P<n>\d+) native", "natives", 1)],
    "NativeAdded": [Pieces(r"PLACE, without natives, receives (?P<n>\d+) native", "natives", 1)],
    "RegionExplored": [Pieces(r"SEAT explores PLACE with one disc", "discs", 1)],
    "InfluenceDiscsWithdrawn": [Pieces(r"SEAT withdraws (?P<n>\d+) discs? from PLACE", "discs", -1)],
    "InfluenceAdded": [
        Pieces(r": (?P<n>\d+) discs?(?: \(of \d+: no more are left\))? of SEAT in PLACE", "discs", 1),
        Pieces(r": (?P<n>\d+) natives?(?: \(of \d+: no more are left\))? in PLACE", "natives", 1),
    ],
    "MercenariesRecruited": [Pieces(r"SEAT recruits (?P<n>\d+) mercenar\w+.* in PLACE", "mercenaries", 1)],
    "MercenariesRemoved": [Pieces(r"(?P<n>\d+) of SEAT from PLACE", "mercenaries", -1)],
    "ExcessInfluenceRemoved": [Pieces(r"SEAT, alone in PLACE, returns (?P<n>\d+) disc", "discs", -1)],
    "InfluenceRemoved": [
        Pieces(r"SEAT loses (?P<n>\d+) discs?.* in PLACE", "discs", -1),
        Pieces(r"SEAT loses .*?(?P<n>\d+) mercenar\w+ in PLACE", "mercenaries", -1),
        Pieces(r"The natives lose (?P<n>\d+) in PLACE", "natives", -1),
    ],
    "PolicyCardsResolved": [],
    "ResourceColorCollected": [
        *(reads(f"{{a}} collects {{n}} {color} from", f"a {color} +n") for color in COLORS),
        Lying(rf"collects {CUBES} from PLACE", -1),
    ],
    "ResourcesExchanged": [
        Lying(rf"exchanges {CUBES} cube of PLACE with", -1),
        Lying(rf"with {CUBES} cube of PLACE", -1),
        Lying(rf"of PLACE with {CUBES} cube of", 1),
    ],
    "GameEnded": [reads(r"{a} with {n} \(\d+ cubes?\)", "a score =n")],
}


class Placed:
    """Policy cards: each player's discs in the region that the sentence names first."""

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        place = re.search(rf" in ({PLACE}): ", sentence)
        for seat, count in re.findall(r"Seat (\d) places (\d+)", sentence):
            yield ("discs", f"{PLACES[place[1]]} {seat}"), "+", int(count)


class Exchanged:
    """The first region of an exchange gets the cube of the second."""

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, int]]:
        found = re.search(rf"a (\w+) cube of ({PLACE}) with a (\w+) cube of ({PLACE})", sentence)
        yield (f"{found[3]} there", PLACES[found[2]]), "+", 1
        yield (f"{found[1]} there", PLACES[found[4]]), "+", 1


READINGS["PolicyCardsResolved"] = [Placed()]
READINGS["ResourcesExchanged"] = [*READINGS["ResourcesExchanged"][:2], Exchanged()]


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_history_accounts_for_everything(seats, seed):
    """Anyone who reads the sentences alone knows all cubes, discs, mercenaries, natives and scores."""
    game = play(Table("colonialism", seats), seed=seed, keep=True)
    assert list(unexplained(game, READINGS, accounts)) == []
