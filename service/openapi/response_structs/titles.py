"""The answers about titles, their rules, lessons and ladders."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.proof.canonical import MAX_INTEGER
from events.rules.kit.pointing import Hint
from service.openapi.response_structs.fields import Board, Object, Options, Position, Schema, Uuid


class SeatRange(Struct, frozen=True):
    """The least and the greatest number of players."""

    min: int
    """The least number of players."""
    max: int
    """The greatest number of players."""


class MinuteRange(Struct, frozen=True):
    """The length of a game, estimated from games of bots at 20 seconds a command."""

    min: int
    """The minutes at the smallest table."""
    max: int
    """The minutes at the largest table."""


class TitleAbout(Struct, frozen=True):
    """A title in short, for people who choose one."""

    sentence: str
    """The sentence that says what players do."""
    minutes: MinuteRange
    """The length of a game."""
    weight: Annotated[
        Literal["light", "medium", "heavy"], Meta(description="The number of its rules: few, more or many.")
    ]


class OptionWords(Struct, frozen=True):
    """An option in words for players."""

    name: str
    """The name of the option."""
    effect: str
    """The change that it makes."""
    values: Annotated[
        dict[str, str], Meta(description="The name of each value, by the value as JSON without quotes.")
    ]


class TitleSummary(Struct, frozen=True):
    """A title at a glance."""

    id: str
    """The id of the title, such as `colonies`."""
    name: str
    """The name of the title."""
    version: Annotated[int, Meta(description="The version of the rules. New games begin with the newest.")]
    seats: SeatRange
    """The possible numbers of players."""
    bots: list[str]
    """The bots that can play it, weakest first."""
    versions: Annotated[list[int], Meta(description="The versions that games can use, the newest first.")]
    about: Annotated[TitleAbout | None, Meta(description="The title in short; null if it has no such words.")]
    lesson: bool
    """True if the title has a guided first turn."""
    picture: bool
    """True if the page has a picture of the title's board."""


class TitlesPage(Struct, frozen=True):
    """The titles that the server offers."""

    titles: list[TitleSummary]
    """The titles that this server offers."""
    next: str | None
    """Always null: there is one page only."""


class Rung(Struct, frozen=True):
    """A level of bots at one size of table, and how strong it is there."""

    name: Annotated[str, Meta(examples=["steady"])]
    """The display name."""
    version: Annotated[int, Meta(description="The version of the bot. Another version may move differently.")]
    budget: Annotated[
        int, Meta(ge=0, description="The number of games that the bot may simulate for a move.")
    ]
    weights: Annotated[str | None, Meta(description="SHA-256 of the fitted weights of the bot.")]
    games: Annotated[int, Meta(ge=0, description="The number of games that it played.")]
    score: Annotated[float, Meta(ge=0, le=1, description="The share of opponents that it beat.")]
    elo: Annotated[int, Meta(description="Points above `random`; 400 points are odds of ten to one.")]
    low: Annotated[
        int, Meta(description="The lower end of the 95 % interval, computed over deals, not games.")
    ]
    high: int
    """The upper end of the 95 % interval."""
    sentence: Annotated[
        str,
        Meta(
            description="Its results against a weaker level, with a warning where they are not enough for "
            "its name. Show it where a player chooses a bot."
        ),
    ] = ""


class PairResult(Struct, frozen=True):
    """The results of a level that played at each seat in turn, with others of one kind at the rest."""

    challenger: Annotated[str, Meta(description="The level, as name and version.", examples=["steady@2"])]
    other: str
    """The level of the others, as name and version."""
    deals: Annotated[int, Meta(ge=1, description="The number of deals. Each was played from every seat.")]
    games: Annotated[int, Meta(ge=1)]
    """The number of games."""
    won: Annotated[
        float, Meta(ge=0, description="The games that the challenger won; a shared victory counts in part.")
    ]
    share: Annotated[float, Meta(ge=0, le=1, description="The share of games that the challenger won.")]
    low: Annotated[float, Meta(ge=0, le=1, description="The lower end of the 95 % interval of `share`.")]
    high: Annotated[float, Meta(ge=0, le=1)]
    """The upper end of the 95 % interval of `share`."""
    luck: Annotated[
        float, Meta(ge=0, le=1, description="The expected `share` of a level as strong as the others.")
    ]
    beaten: Annotated[
        float, Meta(ge=0, le=1, description="The share of the others that the challenger beat.")
    ]
    elo: Annotated[int, Meta(description="Points above the others, from `beaten`; at most 1200.")]
    elo_low: int
    """The lower end of the 95 % interval of `elo`."""
    elo_high: int
    """The upper end of the 95 % interval of `elo`."""


class LadderTable(Struct, frozen=True):
    """The ladder at one size of table."""

    seats: Annotated[int, Meta(ge=1)]
    """The number of seats."""
    rules: Annotated[int, Meta(description="The version of the rules that was played.")]
    levels: Annotated[list[Rung], Meta(description="The levels, the weakest first.")]
    pairs: list[PairResult]
    """The results of each level against the others."""


class Ladder(Struct, frozen=True):
    """The measured differences in strength between the levels of a title's bots."""

    title: str
    """The id of the title."""
    tables: Annotated[
        list[LadderTable], Meta(description="The sizes of table that were measured, the smallest first.")
    ]


class Title(TitleSummary, frozen=True):
    """Everything that a client needs to know about a title."""

    data_hash: str
    """The hash of the title's static data (hex)."""
    options: Annotated[
        Schema,
        Meta(
            description="The schema of the options. `description` explains each one, `clause` is the clause"
            " of its rules."
        ),
    ]
    view: Annotated[Schema, Meta(description="The schema of the view of a seat or a spectator.")]
    commands: Annotated[dict[str, Schema], Meta(description="The schema of each command, by type.")]
    events: Annotated[dict[str, Schema], Meta(description="The schema of each event's data, by type.")]
    position: Annotated[Schema, Meta(description="The schema of a position.")]
    codes: Annotated[
        dict[str, str], Meta(description="The rulebook's words for cases that share a general code.")
    ]
    refusals: Annotated[list[str], Meta(description="The codes with which its rules refuse a command.")]
    board: Annotated[Board, Meta(description="Static public data: names, texts, cards, maps.")]
    guide: Annotated[
        list[Hint], Meta(description="Hints for the first turn, in this order; the list may be empty.")
    ]
    clauses: Annotated[
        dict[str, list[str]],
        Meta(
            description="The clauses that explain a drawn thing, by the beginning of its `ref` (in lower "
            "case, with `_` for spaces). The longest beginning counts."
        ),
    ]
    option_words: Annotated[
        dict[str, OptionWords], Meta(description="The options in words for players; it may be empty.")
    ]


class Chart(Struct, frozen=True):
    """The shapes of a map, as SVG paths."""

    width: int
    """The width of the map in units."""
    height: int
    """The height of the map in units."""
    land: str
    """The land behind the areas; it may be empty."""
    areas: Annotated[dict[str, str], Meta(description="The shapes of the areas, by key.")]


class StandingAnswer(Struct, frozen=True):
    """An answer that players may choose ahead, so that their page gives it whenever it is asked."""

    key: str
    """The key of the choice within the title."""
    text: str
    """The sentence that offers it to a player."""
    until: Annotated[
        Literal["turn", "game"], Meta(description="The end of the choice: that of the turn, or of the game.")
    ]
    answers: list[
        Annotated[
            Object,
            Meta(
                description="The members that a legal command must have to be given.",
                extra_json_schema={"additionalProperties": True},
            ),
        ]
    ]
    """The commands that it gives, in the order of preference."""
    every: Annotated[
        bool, Meta(description="True if several legal commands may match, which are given one by one.")
    ]


class TitleDisplay(Struct, frozen=True):
    """The part of a title that a page needs to draw a game."""

    id: str
    """The id of the title."""
    name: str
    """The name of the title."""
    version: int
    """The version of the title's rules."""
    charts: Annotated[
        dict[str, Chart],
        Meta(description="The shapes of its maps, by the name that a map has as `chart`."),
    ]
    guide: Annotated[
        list[Hint], Meta(description="Hints for the first turn, in this order; as in the title.")
    ]
    clauses: Annotated[
        dict[str, list[str]],
        Meta(description="The clauses that explain a drawn thing; as in the title."),
    ]
    art: Annotated[
        dict[str, str],
        Meta(description="The names of drawings on cards, by how the refs of cards begin."),
    ]
    standing: Annotated[
        list[StandingAnswer],
        Meta(description="The answers that can be chosen ahead; the list may be empty."),
    ]


class LessonStep(Struct, frozen=True):
    """A command of a guided first turn, and the sentence that asks for it."""

    text: Annotated[str, Meta(description="The sentence that tells the player what to do and why.")]
    command: Annotated[
        Object,
        Meta(
            description="The members that the command has. Of the legal commands that have them, the first is"
            " meant.",
            extra_json_schema={"additionalProperties": True},
        ),
    ]
    clause: Annotated[str | None, Meta(description="The clause behind the sentence, or null.")] = None


class Lesson(Struct, frozen=True):
    """A guided first turn: a position, and the commands that the player of seat 0 gives from there."""

    title: str
    """The id of the title."""
    version: int
    """The version of the rules to which the position belongs."""
    seats: Annotated[int, Meta(description="The number of players. Bots take all seats but seat 0.")]
    position: Annotated[Position, Meta(description="The position from which the game begins.")]
    steps: Annotated[list[LessonStep], Meta(description="The steps, in this order.")]
    asides: Annotated[
        list[LessonStep], Meta(description="Answers to what other players may ask between the steps.")
    ]


class Clause(Struct, frozen=True):
    """A clause of the rules, or a ruling on them."""

    id: Annotated[str, Meta(description="The id of the clause, which is also its anchor in the page.")]
    heading: Annotated[str, Meta(description="The heading of its section.")]
    text: Annotated[str, Meta(description="The text in Markdown.")]


class Rules(Struct, frozen=True):
    """The rules of a title, clause by clause."""

    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    clauses: list[Clause]
    """The clauses and rulings, in order."""


class PositionTold(Struct, frozen=True, kw_only=True):
    """The whole position of a game, ready to begin another game from it with `POST /v1/games`."""

    game: Uuid
    """The id of the game."""
    seq: Annotated[
        int, Meta(ge=1, le=MAX_INTEGER, description="The last event of the command that led to the position.")
    ]
    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    options: Options
    """The options of the title."""
    seats: Annotated[int, Meta(ge=1, le=100, description="The number of seats.")]
    position: Annotated[
        Position, Meta(description="The position, as the `position` schema of the title describes it.")
    ]
