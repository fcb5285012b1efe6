"""The language of the API: its description, and the sentences of its problems, in plain words.

A problem says what is wrong, then what to do. A message about one field tells what to send. A refusal by a
title says what to do instead.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from events.rules.catalogue import title_ids
from service.openapi import problem_codes
from tests.service.openapi.test_described import description
from tests.test_style import BANNED, MOST_WORDS, find_sentences

ROOT = Path(__file__).resolve().parents[3]
FIRST_PERSON = re.compile(r"(?<![\w`./])(I|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)(?![\w`])")
RIDDLE = re.compile(r"(Who|Whose|Whether|What|How|Where|Which)\b")
"""Beginnings of descriptions that ask in place of saying what a thing is."""
OF_RULEBOOKS = {"at sea", "laid"}
"""Words of rulebooks, which the components of titles may use."""


# --- the description ---------------------------------------------------------------------------------


def find_word_faults(text: str, allowed: AbstractSet[str] = frozenset()) -> list[str]:
    """What is wrong with the language of a text."""
    faults = []
    for sentence in find_sentences(text):
        found = BANNED.search(sentence)
        if found and found[0].lower() not in allowed:
            faults.append(f"{found[0]!r} in: {sentence}")
        if found := FIRST_PERSON.search(sentence):
            faults.append(f"{found[0]!r} in: {sentence}")
        if len(sentence.split()) > MOST_WORDS:
            faults.append(f"{len(sentence.split())} words: {sentence}")
    return faults


def find_description_faults(text: str, allowed: AbstractSet[str] = frozenset()) -> list[str]:
    """What is wrong with a summary or a description."""
    riddles = [f"riddle: {text}"] if RIDDLE.match(text) else []
    return riddles + find_word_faults(text, allowed)


DATA = {"example", "examples", "default", "enum", "const"}
"""Members of the description that hold data, not words about it."""


def find_descriptions(part: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every summary and description inside a part of the document, and where it stands."""
    if isinstance(part, list):
        for number, inner in enumerate(part):
            yield from find_descriptions(inner, f"{place}/{number}")
    elif isinstance(part, dict):
        for name, inner in part.items():
            if name in ("summary", "description") and isinstance(inner, str):
                yield place, inner
            elif name not in DATA:
                yield from find_descriptions(inner, f"{place}/{name}")


def test_the_description_is_written_in_plain_words():
    own = tuple(f"/components/schemas/{title_id}." for title_id in title_ids())
    places: dict[tuple[str, bool], str] = {}
    for place, text in find_descriptions(description()):
        places.setdefault((text, place.startswith(own)), place)
    faults = {
        fault: place
        for (text, of_title), place in places.items()
        for fault in find_description_faults(text, OF_RULEBOOKS if of_title else set())
    }
    assert faults == {}


def test_every_kind_of_description_is_read():
    places = [place for place, _ in find_descriptions(description())]
    for kind in ("/info", "/tags/0", "/components/headers", "/components/schemas/Join"):
        assert any(place.startswith(kind) for place in places), kind
    for kind in ("/parameters/", "/requestBody", "/responses/", "/properties/"):
        assert any(kind in place for place in places), kind
    assert len(places) > 5000


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Whether the seat is free.", "riddle"),
        ("A token that I hold.", "'I' in"),
        ("The seat of whoever joins.", "'whoever' in"),
        ("The battle at sea.", "'at sea' in"),
        ("so " * 26 + "on.", "27 words"),
    ],
)
def test_faults_of_descriptions_are_found(text, fault):
    document = {"paths": {"/": {"get": {"parameters": [{"description": text}]}}}}
    [(_, found)] = find_descriptions(document)
    assert find_description_faults(found)[0].startswith(fault)


# --- the sentences of problems -----------------------------------------------------------------------

SOURCES = (
    "service", "events/base", "events/clocks", "events/proof", "events/rules", "events/store", "events/table",
    "events/tournament", "projections", "workers",
)  # fmt: skip
"""The folders of the platform. The refusals of titles speak as their rulebooks do."""
DETAILS: Mapping[str, int] = {
    "Problem": 2, "Rejected": 1, "StoreError": 1, "ReadOnly": 1, "BadSignature": 0, "MissingSignature": 0,
    "MalformedJson": 0, "BadWebhookUrl": 0, "_invalid_terms": 0, "MissingManagerRole": 0,
    "require_full_information": 1, "raise_too_many_requests": 1, "Lack": 1,
}  # fmt: skip
"""What makes an error of the platform, and the place of its sentences among the arguments."""
KINDS = {"Rejected", "StoreError", "OutdatedCopy"}
"""Errors of which there are kinds, each with a sentence of its own."""
FIELDS = {"ValidationError": 0, "invalid_parameters": 0, "InvalidSettings": 0, "Unavailable": 0}
"""What makes an error about fields, and the place of its sentences."""
MESSAGES = {"error", "errors", "error_messages"}
"""Names of arguments that hold messages about fields."""
TABLES = {"error_messages", "default_error_messages"}
"""Names of attributes that hold messages about fields."""
NOT_MESSAGES = {"CallOutcome"}
"""What has such an argument for something else."""
FRAGMENTS = {"NoSuchEvent": 0, "RulesMissing": 3, "UnusableTitle": 1, "InvalidPosition": 0}
"""What makes an error whose words become a part of a sentence elsewhere."""
BEGINNINGS = (
    "Send", "Must", "Leave", "Use", "Name", "Choose", "Make", "Remove",
)  # fmt: skip
"""The first words of messages that tell what to send."""
OPEN = "…"
"""What stands for a value that is not known before."""
ONE_SENTENCE: frozenset[str] = frozenset()
"""Details that say both halves in one sentence. Today there are none."""


class Sentences:
    """The sentences of the errors that a module makes."""

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        self.module = self._find_values(self.tree.body)

    @staticmethod
    def _find_values(body: list[ast.stmt]) -> dict[str, list[ast.expr]]:
        """The values that are assigned to names in *body*."""
        found: dict[str, list[ast.expr]] = {}
        for node in (inner for statement in body for inner in ast.walk(statement)):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, ast.AnnAssign):
                targets = [node.target]
            value = getattr(node, "value", None)
            for target in targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for name in names:
                    if isinstance(name, ast.Name) and value is not None:
                        found.setdefault(name.id, []).append(value)
        return found

    def read(self, node: ast.expr | None, names: Mapping[str, list[ast.expr]], depth: int = 0) -> list[str]:
        """The texts that an expression may have; none if that is not known here."""
        if node is None or depth > 4:
            return []
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.JoinedStr(values=values):
                parts = [self.read(value, names, depth + 1) or [OPEN] for value in values]
                return ["".join(one) for one in itertools.product(*parts)]
            case ast.FormattedValue(value=ast.Name() | ast.IfExp() as value):
                return self.read(value, names, depth + 1)
            case ast.BinOp(op=ast.Add()):
                pairs = itertools.product(
                    self.read(node.left, names, depth + 1) or [OPEN],
                    self.read(node.right, names, depth + 1) or [OPEN],
                )
                return [left + right for left, right in pairs]
            case ast.IfExp() | ast.BoolOp():
                chosen = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
                return [text for one in chosen for text in self.read(one, names, depth + 1)]
            case ast.Name(id=name):
                values = names.get(name) or self.module.get(name, [])
                return [text for one in values for text in self.read(one, names, depth + 1)]
            case ast.Subscript(value=ast.Name(id=name)):
                tables = [one for one in self.module.get(name, []) if isinstance(one, ast.Dict)]
                return [text for one in tables for value in one.values for text in self.read(value, names)]
            case ast.Dict(values=inner) | ast.List(elts=inner) | ast.Tuple(elts=inner):
                return [text for one in inner for text in self.read(one, names, depth + 1)]
        return []

    @cached_property
    def _calls(self) -> list[tuple[ast.Call, Mapping[str, list[ast.expr]]]]:
        """Every call, with the values of the names of its function."""

        def walk(node: ast.AST, names: Mapping[str, list[ast.expr]]) -> Iterator[Any]:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = {**names, **self._find_values(node.body)}
            if isinstance(node, ast.Call):
                yield node, names
            for inner in ast.iter_child_nodes(node):
                yield from walk(inner, names)

        return list(walk(self.tree, {}))

    def _read_kinds(self) -> Iterator[str]:
        """The sentences that the kinds of rejection declared here make themselves."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef) and any(getattr(b, "id", "") in KINDS for b in node.bases):
                inside = set(ast.walk(node))
                for call, names in self._calls:
                    if call in inside and getattr(call.func, "attr", "") == "__init__":
                        yield from self.read(call.args[1], names)

    def _arguments(self, wanted: Mapping[str, int]) -> Iterator[str]:
        for call, names in self._calls:
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name not in wanted:
                continue
            place = wanted[name]
            given = {one.arg: one.value for one in call.keywords}
            node = given.get("detail") or (call.args[place] if len(call.args) > place else None)
            yield from self.read(node, names)

    @cached_property
    def details(self) -> list[str]:
        """What is said about a whole request."""
        tables = [text for name in ("_HTTP", "_INTERNAL") for text in self._second(name)]
        return [*self._arguments(DETAILS), *tables, *self._read_kinds()]

    def _second(self, name: str) -> Iterator[str]:
        """The second member of each pair of a table of the module."""
        for table in self.module.get(name, []):
            pairs = table.values if isinstance(table, ast.Dict) else [table]
            for pair in pairs:
                if isinstance(pair, ast.Tuple):
                    yield from self.read(pair.elts[1], {})

    @cached_property
    def messages(self) -> list[str]:
        """What is said about one field."""
        found = list(self._arguments(FIELDS))
        for call, names in self._calls:
            for one in call.keywords:
                if one.arg in MESSAGES and getattr(call.func, "id", "") not in NOT_MESSAGES:
                    found += self.read(one.value, names)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign):
                target = getattr(node.targets[0], "id", "")
                if target in TABLES or target.startswith("message_"):
                    found += self.read(node.value, {})
            elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                found += [text for text in self.read(node.value.elts[-1], {}) if text.endswith(".")]
        return [text for text in found if " " in text]

    @cached_property
    def fragments(self) -> list[str]:
        """What becomes a part of a sentence elsewhere."""
        return list(self._arguments(FRAGMENTS))


def count_sentences(text: str) -> int:
    """The number of sentences; what is not known before may be one at the end."""
    return len([one for one in re.split(rf"(?<=[.!?{OPEN}])\s+(?=[A-Z`{OPEN}\"])", text.strip()) if one])


def find_detail_faults(text: str) -> list[str]:
    """What is wrong with a sentence about a request: two sentences are wanted, or an exception."""
    faults = find_word_faults(text)
    if re.search(r"\w", text) and count_sentences(text) < 2 and text not in ONE_SENTENCE:
        faults.append(f"one half only: {text}")
    return faults


def find_message_faults(text: str) -> list[str]:
    """What is wrong with a message about a field: it tells what to send, alone or in a second sentence."""
    faults = find_word_faults(text)
    if count_sentences(text) < 2 and not text.startswith((*BEGINNINGS, OPEN)):
        faults.append(f"does not say what to send: {text}")
    return faults


def find_sentence_faults(made: Sentences) -> list[str]:
    """What is wrong with the sentences of the errors that a module makes."""
    return [
        *(fault for text in made.details for fault in find_detail_faults(text)),
        *(fault for text in made.messages for fault in find_message_faults(text)),
        *(fault for text in made.fragments for fault in find_word_faults(text)),
    ]


MAKES = re.compile(rf"\b({'|'.join((*DETAILS, *FIELDS, *FRAGMENTS))})\(|error_messages|\berror=|yield f?\"")
"""What every module has that makes an error."""


@cache
def read_platform() -> dict[str, Sentences]:
    """The sentences of all modules that may make an error of the platform."""
    found = {}
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "kit" not in path.parts and MAKES.search(text):
                found[path.relative_to(ROOT).as_posix()] = Sentences(text)
    return found


def test_problems_say_what_is_wrong_and_what_to_do():
    faults = {name: found for name, made in read_platform().items() if (found := find_sentence_faults(made))}
    assert faults == {}


def test_the_sentences_of_all_errors_are_read():
    made = read_platform().values()
    details = [text for one in made for text in one.details]
    assert len(details) > 400
    assert sum(len(one.messages) for one in made) > 60
    assert sum(len(one.fragments) for one in made) > 8
    for said in (
        "The game has not begun. ",
        "This token is unknown, ",
        "Check-in is not open. ",
        "The address ",
    ):
        assert any(text.startswith(said) for text in details), said


def test_an_exception_is_needed():
    said = {text for made in read_platform().values() for text in made.details}
    assert said >= ONE_SENTENCE
    assert all(count_sentences(text) < 2 for text in ONE_SENTENCE)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('raise Problem(409, "x", "The game is not paused.")', "one half only"),
        ('raise Rejected("x", f"Seat {n} has no clock.")', "one half only"),
        ('def f():\n    detail = "Too late."\n    raise Problem(409, "x", detail)', "one half only"),
        ('raise StoreError("x", "You have no club.")', "one half only"),
        (
            'class A(StoreError):\n  def f(self):\n    t = "Too late."\n    super().__init__("x", t)',
            "one half only",
        ),
        ('WHY = {"a": "Too late."}\nraise Rejected("x", WHY[k])', "one half only"),
        ('raise Problem(409, "x", detail="Wait for him. Then go on.")', "'him' in"),
        ('raise Rejected("x", "This seat is my own. Leave it.")', "'my' in"),
        ('raise ReadOnly("x", "No key.")', "one half only"),
        ('raise ma.ValidationError({"a": ["A name is short."]})', "does not say what to send"),
        ('x = Text(error_messages={"invalid": "It is wrong."})', "does not say what to send"),
        ('def f():\n    yield "a", "It is wrong."', "does not say what to send"),
        ('raise NoSuchEvent("whoever asks")', "'whoever' in"),
        ('raise Problem(409, "x", "Go. " + "so " * 1 + "' + "so " * 26 + 'on.")', "27 words"),
    ],
)
def test_faults_of_sentences_are_found(source, fault):
    assert find_sentence_faults(Sentences(source))[0].startswith(fault)


@pytest.mark.parametrize(
    "source",
    [
        'raise Problem(409, "x", "The game is not paused. Nothing needs to be done.")',
        'raise Problem(409, "x", f"Not yours. {yours}")',
        'raise Problem(409, "x", str(error))',
        'raise Rejected("x", f"Round {n} is due at {at}. Wait until then.")',
        'raise ma.ValidationError("Send a UUID.")',
    ],
)
def test_good_sentences_pass(source):
    assert find_sentence_faults(Sentences(source)) == []


# --- the refusals of titles --------------------------------------------------------------------------

ADVICE = re.compile(
    r"(accept|allot|answer|ask|build|buy|choose|control|declare|decline|deploy|discard|explore|finish|flip"
    r"|give|grant|help|keep|leave|line|look|lose|make|move|name|offer|pass|pay|place|play|programme|reject"
    r"|remove|repay|repress|return|save|send|set|ship|show|spend|substitute|take|use|wait|withdraw)\b",
    re.IGNORECASE,
)
"""Verbs with which a refusal begins to say what to do instead."""


def says_what_to_do(cure: str) -> bool:
    """Return True if a part of a refusal begins with a verb of :data:`ADVICE`."""
    parts = re.split(r"(?<=[.:;,])\s+", cure)
    return any(ADVICE.match(part) for part in parts)


def test_refusals_of_titles_say_what_to_do():
    told = problem_codes.get_refusals().items()
    cures = [(title_id, code, one.cure) for title_id, codes in told for code, one in codes.items()]
    assert len(cures) > 200
    assert [one for one in cures if not says_what_to_do(one[2])] == []


@pytest.mark.parametrize(
    ("cure", "does"),
    [
        ("You have … shipments left.", False),
        ("You have … shipments left; choose fewer spaces.", True),
        ("Name another player.", True),
        ("Only the names of players count.", False),
    ],
)
def test_advice_in_a_refusal_is_found(cure, does):
    assert says_what_to_do(cure) is does
