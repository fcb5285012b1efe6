"""The account dialog in a real Chromium, by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import LiveServer
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, handle_of

pytestmark = [pytest.mark.browser, pytest.mark.integration]


def press(target: Locator, key: str = "Enter") -> None:
    """Reach it with the keyboard, and use it."""
    target.focus()
    expect(target).to_be_focused()
    target.press(key)


def part(page: Page, name: str) -> Locator:
    """A part of the dialog, opened."""
    found = page.locator("dialog details", has=page.locator("summary", has_text=name))
    press(found.locator("summary"))
    return found


def test_one_tab_takes_the_others_along(visitor: Visitor, live_server: LiveServer) -> None:
    """Signing out, and in as another: no tab goes on as somebody else, or shows what they alone may see."""
    address = live_server.address
    anna, boris = Player(address, "Anna"), Player(address, "Boris")
    game = anna.game("colonial_empires", [{"you": True}, {"open": True}], visibility="private")
    first = visitor()
    first.goto(address)

    def sign_in(player: Player, name: str) -> None:
        first.get_by_role("button", name="Sign in").click()
        first.locator("summary", has_text="I have a token").click()
        first.locator("dialog input[name=token]").fill(player.token)
        first.locator("dialog form", has=first.locator("input[name=token]")).get_by_role("button").click()
        expect(first.locator(".who")).to_have_text(name)

    second, third = first.context.new_page(), first.context.new_page()
    for tab in (second, third):
        tab.goto(address)
        expect(tab.locator(".who")).to_have_text("Sign in")
    sign_in(anna, "Anna")
    for tab in (second, third):
        expect(tab.locator(".who")).to_have_text("Anna")
    third.goto(f"{address}/g/{game}")
    expect(third.locator("[data-game]")).to_be_visible()
    first.get_by_role("button", name="Anna").click()
    first.get_by_role("button", name="Sign out").click()
    expect(second.locator(".who")).to_have_text("Sign in")
    expect(third.locator("[data-game]")).to_have_count(0)
    sign_in(boris, "Boris")
    expect(second.locator(".who")).to_have_text("Boris")
    expect(third.locator("[data-game]")).to_have_count(0)


@pytest.mark.whole
def test_tokens_codes_handle_and_farewell_without_a_mouse(visitor: Visitor, live_server: LiveServer) -> None:
    """A token is made, shown once, listed, revoked; codes are made; a handle is chosen; the account goes."""
    anna = Player(live_server.address, "Anna")
    handle = handle_of(anna)
    page = enter(visitor(), live_server.address, anna)
    press(page.get_by_role("button", name="Anna"))
    expect(page.get_by_role("dialog")).to_be_visible()

    tokens = part(page, "Tokens for programs")
    expect(tokens.get_by_role("listitem")).to_have_count(1)
    expect(tokens.get_by_role("listitem")).to_contain_text("first token")
    expect(tokens.get_by_role("listitem")).to_contain_text("everything")
    tokens.get_by_label("What is the new token for?").press_sequentially("my bot")
    press(tokens.get_by_label("create games"), "Space")
    press(tokens.get_by_role("button", name="Make a token"))
    secret = tokens.locator(".secret").inner_text()
    made = Player.__new__(Player)
    made.address, made.token = live_server.address, secret
    assert made.call("GET", "/v1/me")["account"]["name"] == "Anna"
    row = tokens.get_by_role("listitem").filter(has_text="my bot")
    expect(row).to_contain_text("see what my seats see, join games and play, create games")
    press(row.get_by_role("button", name="Revoke my bot"))
    expect(row).to_have_count(0)

    codes = part(page, "Recovery codes")
    expect(codes).to_contain_text("You have none yet.")
    press(codes.get_by_role("button", name="Make ten codes"))
    expect(codes.locator(".secret")).to_have_text(re.compile(r"^\s*(\S+\s+){9}\S+\s*$"))
    expect(codes).to_contain_text("10 of them can still be used")

    names = part(page, "Name and handle")
    names.get_by_role("textbox", name="Handle").press_sequentially(handle)
    press(names.get_by_role("button", name="Save"))
    expect(page.locator(".notices")).to_contain_text("Other players see the change from now on.")
    assert anna.call("GET", "/v1/me")["account"]["handle"] == handle

    farewell = part(page, "Delete the account")
    button = farewell.get_by_role("button", name="Delete my account")
    expect(button).to_be_disabled()
    farewell.get_by_label(f"Type {handle} to confirm").press_sequentially(handle)
    press(button)
    expect(page.locator(".who")).to_have_text("Sign in")
    page.wait_for_function("() => localStorage.getItem('rutter.token') === null")


def test_a_webhook_by_its_form(visitor: Visitor, live_server: LiveServer) -> None:
    """Added with its secret shown once, switched off and on, deleted; what cannot be called is refused."""
    anna = Player(live_server.address, "Anna")
    page = enter(visitor(), live_server.address, anna)
    page.locator(".who").click()
    page.get_by_text("Webhooks: calls to your own program").click()
    form = page.get_by_role("form", name="New webhook")
    form.locator("[name=url]").fill("https://example.org/rutter#here")
    form.get_by_role("button", name="Add the webhook").click()
    expect(form.get_by_role("alert")).to_contain_text("Remove it")
    form.locator("[name=url]").fill("https://example.org/rutter")
    form.get_by_role("button", name="Add the webhook").click()
    expect(page.locator(".secret")).to_have_text(re.compile("^whsec_"))
    one = page.locator("[data-webhook]")
    expect(one).to_contain_text("on, for my turns")
    [made] = anna.call("GET", "/v1/me/webhooks")["webhooks"]
    assert made["types"] == ["game.your_turn"]
    one.get_by_role("button", name="Switch off").click()
    expect(one.get_by_role("button", name="Call it now")).to_have_count(0)
    one.get_by_role("button", name="Switch on").click()
    expect(one).to_contain_text("on, for my turns")
    one.get_by_role("button", name="Delete https://example.org/rutter").click()
    expect(one).to_have_count(0)
    assert anna.call("GET", "/v1/me/webhooks")["webhooks"] == []


STUBBED_PUSHES = """
  let made = null;
  const subscription = {
    toJSON: () => ({
      endpoint: "https://push.example.org/send/1",
      expirationTime: null,
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
    }),
    unsubscribe: async () => { made = null; return true; },
  };
  const pushManager = {
    getSubscription: async () => made,
    subscribe: async (options) => {
      globalThis.asked = { seen: options.userVisibleOnly, length: options.applicationServerKey.length };
      return (made = subscription);
    },
  };
  globalThis.subscribed = () => made !== null;
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(navigator.serviceWorker, "ready", { get: async () => ({ pushManager }) });
"""


def test_the_switch_for_pushes(visitor: Visitor, live_server: LiveServer) -> None:
    """On: the browser subscribes and the account has it. Off, or signed out: neither has it any more."""
    anna = Player(live_server.address, "Anna")
    page = visitor()
    page.add_init_script(STUBBED_PUSHES)
    enter(page, live_server.address, anna)
    page.locator(".who").click()
    switch = page.get_by_label("Notify this browser when it is my turn")
    expect(switch).not_to_be_checked()
    switch.click()
    expect(switch).to_be_checked()
    expect(switch).to_be_enabled()
    assert page.evaluate("asked") == {"seen": True, "length": 65}
    [made] = anna.call("GET", "/v1/me/push_subscriptions")["push_subscriptions"]
    assert made["endpoint"] == "https://push.example.org/send/1"
    switch.click()
    expect(switch).not_to_be_checked()
    expect(switch).to_be_enabled()
    assert not page.evaluate("subscribed()")
    assert anna.call("GET", "/v1/me/push_subscriptions")["push_subscriptions"] == []
    switch.click()
    expect(switch).to_be_checked()
    with page.expect_response(lambda answer: "/push_subscriptions/" in answer.url):
        page.get_by_role("button", name="Sign out").click()
    assert anna.call("GET", "/v1/me/push_subscriptions")["push_subscriptions"] == []
