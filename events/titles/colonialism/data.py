"""The title's data files, typed, checked and indexed once."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec

from events.rules.data_files import SHOWN, Words, fingerprint, load
from events.titles.colonialism.parts import CubeColor

Drawn = Annotated[int, SHOWN]
"""A place on the picture of the board."""


class RegionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the six regions, and how a page draws it."""

    id: str
    name: Words
    color: Words
    seas: tuple[str, ...]
    neighbours: tuple[str, ...]
    x: Drawn
    y: Drawn
    path: Words


class SeaZoneData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the five sea zones, and how a page draws it."""

    id: str
    name: Words
    x: Drawn
    y: Drawn
    path: Words


class BoardData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board: regions and sea zones in table order."""

    width: Drawn
    height: Drawn
    regions: tuple[RegionData, ...]
    sea_zones: tuple[SeaZoneData, ...]


class CardData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One influence card of the set that every player has."""

    id: str
    name: Words
    kind: Literal["policy", "action"]
    ship: bool
    seal: bool
    step: Literal["dominion", "simultaneous", "consolidate_holdings", "unrest_at_home", "immediate"]
    rule: str
    number: int
    text: Words
    resource: str = ""


class TileData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A region limit tile."""

    region: str
    player_count: int
    value: int
    limit: int


class InterestData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An economic interest card: what it pays to the power with the most influence in its region."""

    id: str
    region: str
    pays: str


class PlayerColorData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour of players and its name."""

    id: str
    name: Words


class ResourceData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour of cubes and the name of the resource."""

    id: CubeColor
    name: Words


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of pieces of each kind; discs and ships per player."""

    cubes_per_color: int
    discs: int
    natives: int
    mercenaries: int
    ships: int


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tracks: turns, rows of the turn order, actions a round, spaces of the phase track."""

    turns: int
    rows: int
    actions: int
    phases: tuple[str, ...]


class CardCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of cards drawn, kept and held."""

    drawn: int
    kept: int
    hand: int
    interests: int


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice and other numbers of the rules."""

    die: tuple[int, ...]
    turn_order_dice: int
    withdraw: int
    conversion: int
    segment_cubes: int
    segment_natives: int


class GameData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in ``game.toml``."""

    pieces: Pieces
    track: Track
    cards: CardCounts
    numbers: Numbers
    colors: tuple[PlayerColorData, ...]
    resources: tuple[ResourceData, ...]


class _Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: tuple[CardData, ...]


class _Tiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tiles: tuple[TileData, ...]


class _Interests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    interests: tuple[InterestData, ...]


def check_board(board: BoardData) -> None:
    """Raise ValueError unless adjacency is mutual and all cards have a place (CSM-012, CSM-013)."""
    regions = {r.id: r for r in board.regions}
    zones = {z.id for z in board.sea_zones}
    if len(regions) != 6 or len(zones) != 5:
        raise ValueError("the board has six regions and five sea zones")
    for region in board.regions:
        for other in region.neighbours:
            if other == region.id or other not in regions or region.id not in regions[other].neighbours:
                raise ValueError(f"{region.id} and {other} are not adjacent to each other")
        if not region.seas or not region.neighbours or not set(region.seas) <= zones:
            raise ValueError(f"{region.id} needs an adjacent sea zone and an adjacent region that exist")
    if all(len(r.seas) < 2 for r in board.regions):
        raise ValueError("some region must touch two sea zones")
    if not any(sum(z in r.seas for r in board.regions) >= 2 for z in zones):
        raise ValueError("some sea zone must touch two regions, or Trade cannot be played")


def check_tiles(tiles: Sequence[TileData], regions: Sequence[str], game: GameData) -> None:
    """Raise ValueError unless each region has one usable tile for each number of players (CSM-023).

    Warns where the values are so large that the bag may run empty, which CSM-027 then governs.
    """
    for players in (2, 3, 4):
        mine = [t for t in tiles if t.player_count == players]
        if sorted(t.region for t in mine) != sorted(regions):
            raise ValueError(f"each region needs exactly one tile for {players} players")
        if not all(1 <= t.value <= 4 and t.limit >= 5 for t in mine):
            raise ValueError(f"tiles for {players} players: values are 1 to 4, limits at least 5")
        cubes = game.pieces.cubes_per_color * len(game.resources)
        drawn = game.track.turns * (sum(t.value for t in mine) + game.numbers.segment_cubes * len(regions))
        if drawn > cubes:
            warnings.warn(f"with {players} players the bag will run empty", stacklevel=2)


_PACKAGE = __package__
BOARD = load(_PACKAGE, "board.toml", BoardData)
GAME = load(_PACKAGE, "game.toml", GameData)
CARDS = load(_PACKAGE, "cards.toml", _Cards).cards
TILES = load(_PACKAGE, "tiles.toml", _Tiles).tiles
INTERESTS = load(_PACKAGE, "interests.toml", _Interests).interests
DATA_HASH = fingerprint(BOARD, GAME, CARDS, TILES, INTERESTS)

check_board(BOARD)
check_tiles(TILES, [r.id for r in BOARD.regions], GAME)

PIECES, TRACK, COUNTS, NUMBERS = GAME.pieces, GAME.track, GAME.cards, GAME.numbers

D3 = NUMBERS.die
"""The faces of a die: 1, 1, 2, 2, 3, 3 (CSM-019)."""

COLORS: tuple[CubeColor, ...] = tuple(c.id for c in GAME.resources)
"""The colours of cubes, in the order in which ties are settled."""
COLOR_INDEX: Mapping[str, int] = {color: index for index, color in enumerate(COLORS)}

REGION_IDS: tuple[str, ...] = tuple(r.id for r in BOARD.regions)
REGION_INDEX: Mapping[str, int] = {key: index for index, key in enumerate(REGION_IDS)}
NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(REGION_INDEX[n] for n in r.neighbours) for r in BOARD.regions
)
SEAS: tuple[tuple[str, ...], ...] = tuple(r.seas for r in BOARD.regions)
ZONE_IDS: tuple[str, ...] = tuple(z.id for z in BOARD.sea_zones)
ZONE_REGIONS: Mapping[str, tuple[int, ...]] = {
    zone: tuple(i for i, seas in enumerate(SEAS) if zone in seas) for zone in ZONE_IDS
}

CARD_IDS: tuple[str, ...] = tuple(c.id for c in CARDS)
CARD: Mapping[str, CardData] = {c.id: c for c in CARDS}
CARD_INDEX: Mapping[str, int] = {key: index for index, key in enumerate(CARD_IDS)}
POLICY_IDS = frozenset(c.id for c in CARDS if c.kind == "policy")

INTEREST: Mapping[str, InterestData] = {i.id: i for i in INTERESTS}
INTEREST_IDS: tuple[str, ...] = tuple(i.id for i in INTERESTS)
INTEREST_INDEX: Mapping[str, int] = {key: index for index, key in enumerate(INTEREST_IDS)}

COLOR_NAMES: Mapping[str, str] = {c.id: c.name for c in GAME.colors}
RESOURCE_NAMES: Mapping[str, str] = {c.id: c.name for c in GAME.resources}
NAMES: Mapping[str, str] = {
    **{r.id: r.name for r in BOARD.regions},
    **{z.id: z.name for z in BOARD.sea_zones},
    **{c.id: c.name for c in CARDS},
}
"""The names of regions, sea zones and cards, by id."""


def tile(region: str, players: int) -> TileData:
    """Return the limit tile of *region* for that number of players (CSM-023, CSM-031)."""
    return next(t for t in TILES if t.region == region and t.player_count == players)


def sort_in_table_order(cards: Sequence[str]) -> tuple[str, ...]:
    """Return *cards* as an unordered multiset: in the order of the card list."""
    return tuple(sorted(cards, key=CARD_INDEX.__getitem__))
