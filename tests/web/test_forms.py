"""Forms made from JSON Schemas, in a real Chromium, without any service."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from events.rules.catalogue import find_title, title_ids
from service.openapi.json_schemas import make_title_schemas

pytestmark = pytest.mark.browser

Json = dict[str, Any]

SCHEMA: Json = {
    "type": "object",
    "description": "Everything that a command may hold.",
    "properties": {
        "type": {"enum": ["try_everything"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "bold": {"type": "boolean", "default": False},
        "side": {"enum": ["yes", "no"]},
        "target": {"type": "integer", "minimum": -1, "maximum": 99},
        "ally": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "card": {"type": "string", "maxLength": 64},
        "hand_cards": {"type": "array", "items": {"type": "string"}, "default": []},
        "terms": {"$ref": "#/$defs/Terms"},
        "steps": {"type": "array", "items": {"$ref": "#/$defs/Step"}, "maxItems": 2},
        "resources": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}], "items": False},
        "way": {"anyOf": [{"$ref": "#/$defs/ByLand"}, {"$ref": "#/$defs/BySea"}]},
    },
    "required": ["type", "count", "side", "target", "card", "terms", "steps", "resources", "pair", "way"],
    "$defs": {
        "Terms": {
            "type": "object",
            "properties": {"fortunes": {"type": "integer", "minimum": 0, "default": 0}},
        },
        "Step": {
            "type": "object",
            "properties": {
                "partner": {"enum": ["red", "blue"]},
                "marker": {"anyOf": [{"enum": ["in", "out"]}, {"type": "null"}]},
            },
            "required": ["partner"],
        },
        "ByLand": {
            "type": "object",
            "properties": {"kind": {"const": "by_land"}, "days": {"type": "integer"}},
            "required": ["kind", "days"],
        },
        "BySea": {
            "type": "object",
            "properties": {"kind": {"const": "by_sea"}, "ships": {"type": "integer"}},
            "required": ["kind", "ships"],
        },
    },
}

KNOWN: Json = {
    "board": {
        "cards": [
            {"key": "tea", "name": "Chest of Tea"},
            {"key": "silk", "name": "Bale of Silk"},
            {"key": "opium", "name": "Opium"},
        ],
        "resources": {"red": {"name": "Red"}, "blue": {"name": "Blue"}},
    },
    "view": {"hand": ["tea", "tea", "silk"]},
    "legal": [],
    "seats": [{"seat": 0, "label": "the Dutch"}, {"seat": 1, "label": "the French"}],
    "seat": 0,
}

MOUNT = """async ({ base, type, schema, known, problem }) => {
  const { html, render } = await import(base + "js/base/ui.js");
  const { CommandForm } = await import(base + "js/forms/command.js");
  const { gather } = await import(base + "js/forms/suggest.js");
  const root = document.createElement("main");
  document.body.replaceChildren(root);
  window.sent = [];
  const send = async (command) => {
    window.sent.push(command);
    if (problem) throw Object.assign(new Error(problem.detail), problem);
    return false;
  };
  const all = gather(known);
  render(html`<${CommandForm} type=${type} schema=${schema} known=${all} send=${send} busy=${false}/>`, root);
}"""


@pytest.fixture
def mount(workbench: Page, files: str) -> Any:
    """`mount(type, schema, known, problem)`: the form; what it sends stands in `window.sent`."""

    def form(kind: str, schema: Json, known: Json = KNOWN, problem: Json | None = None) -> Locator:
        given = {"base": files, "type": kind, "schema": schema, "known": known, "problem": problem}
        workbench.evaluate(MOUNT, given)
        return workbench.locator("form.command-form")

    return form


def sent(form: Locator, count: int) -> Any:
    """The commands that the form has sent, as soon as there are so many."""
    form.page.wait_for_function("(count) => window.sent.length >= count", arg=count)
    return form.page.evaluate("window.sent")


def field(form: Locator, name: str) -> Locator:
    return form.locator(f"[name={name}]")


def group(form: Locator, legend: str) -> Locator:
    return form.locator(f"fieldset:has(> legend:text-is('{legend}'))")


def submit(form: Locator) -> None:
    form.locator("button.primary").click()


def test_every_kind_of_field_gives_the_command_that_the_schema_describes(mount: Any) -> None:
    """Numbers, choices, seats, keys, lists, records, mappings, tuples and variants in one command."""
    form = mount("try_everything", SCHEMA)
    field(form, "count").fill("3")
    field(form, "side").select_option(label="No")
    group(form, "Target").get_by_role("button", name="French").click()
    field(form, "card").fill("bale of silk")  # a name, in any case, stands for its key
    hand = form.locator("[data-field=hand_cards]")
    hand.locator("[data-key=tea]").click()
    hand.locator("[data-key=tea]").click()
    expect(hand.locator("[data-key=tea]")).to_be_disabled()  # the hand holds two of them
    field(form, "fortunes").fill("7")
    form.get_by_role("button", name="Add to steps").click()
    field(form, "partner").select_option(label="Blue")
    field(form, "red").fill("2")
    group(form, "Pair").locator("input[type=number]").fill("5")
    group(form, "Pair").locator("input[type=checkbox]").check()
    form.get_by_role("button", name="By sea").click()
    field(form, "ships").fill("4")
    submit(form)
    assert sent(form, 1) == [
        {
            "type": "try_everything",
            "count": 3,
            "bold": False,
            "side": "no",
            "target": 1,
            "ally": None,
            "card": "silk",
            "hand_cards": ["tea", "tea"],
            "terms": {"fortunes": 7},
            "steps": [{"partner": "blue"}],
            "resources": {"red": 2},
            "note": None,
            "pair": [5, True],
            "way": {"kind": "by_sea", "ships": 4},
        }
    ]


def test_a_missing_field_is_named_and_nothing_is_sent(mount: Any) -> None:
    form = mount("try_everything", SCHEMA)
    submit(form)
    expect(form.locator(".failure")).to_have_text("Fill in “side”.")
    assert sent(form, 0) == []


def test_a_refusal_stands_beside_the_form_and_keeps_what_was_filled_in(mount: Any) -> None:
    """The sentence of the service, and where it says which field is wrong, that too."""
    schema = {
        "type": "object",
        "properties": {"type": {"enum": ["pay"]}, "amount": {"type": "integer"}},
        "required": ["type", "amount"],
    }
    problem = {
        "code": "insufficient_fortunes",
        "detail": "You have 3 Fortunes; offer less.",
        "errors": {"amount": ["Too much."]},
    }
    form = mount("pay", schema, problem=problem)
    field(form, "amount").fill("9")
    submit(form)
    expect(form.locator(".failure")).to_contain_text("You have 3 Fortunes; offer less.")
    expect(form.locator(".failure li")).to_have_text("Amount: Too much.")
    expect(field(form, "amount")).to_have_value("9")
    form.get_by_role("button", name="Clear").click()
    expect(form.locator(".failure")).to_have_count(0)


def test_numbers_stay_in_their_range(mount: Any) -> None:
    form = mount("try_everything", SCHEMA)
    less, more = form.locator(".stepper").first.locator("button").all()
    for _ in range(12):
        more.click()
    expect(field(form, "count")).to_have_value("9")
    for _ in range(12):
        less.click()
    expect(field(form, "count")).to_have_value("1")


def test_what_may_be_left_out_can_be_put_in_and_taken_out(mount: Any) -> None:
    form = mount(
        "note",
        {"type": "object", "properties": {"type": {"enum": ["note"]}, "note": SCHEMA["properties"]["note"]}},
    )
    form.get_by_role("checkbox", name="Note").check()
    field(form, "note").fill("opium")
    field(form, "note").blur()
    submit(form)
    sent(form, 1)
    form.get_by_role("checkbox", name="Note").uncheck()
    submit(form)
    assert sent(form, 2) == [{"type": "note", "note": "opium"}, {"type": "note", "note": None}]


SUGGEST = """async ({ base, known, type, path }) => {
  const { gather, suggest } = await import(base + "js/forms/suggest.js");
  return suggest(gather(known), type, path).chips.map((chip) => [chip.key, chip.count]);
}"""


def test_suggestions_come_from_the_place_that_the_field_means(workbench: Page, files: str) -> None:
    """My hand for what I give, what others have in play for what I ask, the board for what nobody shows."""
    known = {
        **KNOWN,
        "view": {"hand": ["tea", "tea"], "in_play": [["silk"], ["opium"]]},
        "legal": [
            {
                "seat": 0,
                "command": {"type": "play", "card": "silk", "places": [{"port": "goa"}, {"port": "macao"}]},
            }
        ],
    }

    def chips(kind: str, *path: str | int) -> Any:
        given = {"base": files, "known": known, "type": kind, "path": list(path)}
        return workbench.evaluate(SUGGEST, given)

    assert chips("offer", "give", "hand_cards") == [["tea", 2]]
    assert chips("offer", "give", "in_play_cards") == [["silk", 1]]
    assert chips("offer", "ask", "in_play_cards") == [["opium", 1]]
    assert [key for key, _ in chips("offer", "ask", "hand_cards")] == ["tea", "silk", "opium"]
    known["board"] = {"goods": known["board"]["cards"]}  # a hand tells that goods are cards here
    assert [key for key, _ in chips("offer", "ask", "hand_cards")] == ["tea", "silk", "opium"]
    assert chips("play", "card")[0] == ["silk", None]  # what is legal comes first
    assert [key for key, _ in chips("play", "places", 0, "port")] == ["goa", "macao"]


@pytest.mark.parametrize("title_id", title_ids())
def test_every_command_of_every_title_has_a_form(mount: Any, workbench: Page, title_id: str) -> None:
    """No title needs a page of its own: its schemas are enough, and no field falls back to bare JSON."""
    title = find_title(title_id)
    for kind, schema in make_title_schemas(title)["commands"].items():
        form = mount(kind, schema, {**KNOWN, "board": {}})
        expect(form.locator("button.primary")).to_be_visible()
        wanted = [name for name in schema.get("properties", {}) if name != "type"]
        controls = form.locator("input, select, .chip, .items + button, .segments button")
        assert not wanted or controls.count() > 0, f"{kind} has no control for {wanted}"
        assert form.locator("textarea").count() == 0, f"{kind} has a field without a control of its own"
