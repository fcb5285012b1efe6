"""A lively table: what moved slides, and there are sounds for those who wish for them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MOVED = """async ({ base, far = 1, kept = "on" }) => {
  const { html, render, signal } = await import(base + "js/base/ui.js");
  const { openMotion } = await import(base + "js/lively/motion.js");
  localStorage.setItem("rutter.motion", kept);
  const page = document.createElement("main");
  page.className = "game-page";
  document.body.append(page);
  const draw = (at) => render(html`<div class="panel" style=${{ position: "relative", height: "20px" }}>
    <div class="card" data-ref="card:tea" style=${{ position: "absolute", left: `${at}px` }}>Tea</div>
    <div class="card" data-ref="card:silk" style=${{ position: "absolute", left: "300px" }}>Silk</div>
    <svg class="map" width="200" height="20" viewBox="0 0 400 40"><g class="token" data-ref="ship:red"
      transform=${`translate(${at} 0)`}><path d="M0 0H20V20H0Z"/></g></svg></div>`, page);
  const shown = signal({ seq: 1 });
  const end = openMotion({ table: { shown }, looking: signal(0) });
  const told = [];
  Element.prototype.animate = function (frames, timing) {
    told.push([this.dataset.ref, frames.translate[0], timing.duration]);
  };
  const framed = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  draw(10);
  shown.value = { seq: 1 + far };
  draw(110);
  await framed();
  end();
  localStorage.removeItem("rutter.motion");
  page.remove();
  return told;
}"""
"""Moves a card by 100 px, and a ship by as much on a map drawn at half its size."""

HEARD = """async ({ base, kept = "on", steps }) => {
  localStorage.setItem("rutter.sound", kept);
  const { batch, signal } = await import(base + "js/base/ui.js");
  const { openSounds } = await import(base + "js/lively/sounds.js");
  const heard = [];
  const param = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
  window.AudioContext = class {
    currentTime = 0;
    createGain() { return { gain: param(), connect: (next) => next }; }
    createOscillator() {
      const frequency = { set value(pitch) { heard.push(pitch); } };
      return { frequency, connect: (next) => next, start() {}, stop() {} };
    }
  };
  const store = { history: signal([{ seq: 1, text: "It begins." }]), mine: signal([0]), looking: signal(0),
    awaited: signal([1]), game: signal({ status: "running" }) };
  const end = openSounds(store);
  const told = [];
  for (const { line, awaited, status } of steps) {
    batch(() => {
      if (line) store.history.value = [...store.history.value, line];
      if (awaited) store.awaited.value = awaited;
      if (status) store.game.value = { status };
    });
    told.push(heard.splice(0).length);
  }
  end();
  localStorage.removeItem("rutter.sound");
  return told;
}"""
STEPS = [
    {"line": {"seq": 2, "text": "Ana moves."}},
    {"line": {"seq": 3, "text": "Ana rolls 4 and 5."}},
    {"line": {"seq": 4, "text": "Ana moves."}, "awaited": [0]},
    {"awaited": [1]},
    {"line": {"seq": 5, "text": "Ana wins."}, "status": "finished"},
]
NOTES = [1, 4, 2, 0, 3]
"""Of a move, a die, your turn, nothing, and the end."""


def test_what_moved_slides_to_where_it_is_for_a_fifth_of_a_second(workbench: Page, files: str) -> None:
    """On a map in the units of the drawing; what stands still stays, and so does all after a jump."""
    assert workbench.evaluate(MOVED, {"base": files}) == [
        ["card:tea", "-100px 0px", 200],
        ["ship:red", "-100px 0px", 200],
    ]
    assert workbench.evaluate(MOVED, {"base": files, "far": 41}) == []


def test_nothing_slides_where_it_is_not_wished_for(workbench: Page, files: str) -> None:
    """Switched off here, or by the system's wish for less motion."""
    assert workbench.evaluate(MOVED, {"base": files, "kept": "off"}) == []
    workbench.emulate_media(reduced_motion="reduce")
    assert workbench.evaluate(MOVED, {"base": files}) == []


def test_a_table_sounds_only_for_those_who_wish_it(workbench: Page, files: str) -> None:
    """A sound of its own for a move, a die, your turn and the end; none without the setting."""
    assert workbench.evaluate(HEARD, {"base": files, "steps": STEPS}) == NOTES
    assert workbench.evaluate(HEARD, {"base": files, "steps": STEPS, "kept": "off"}) == [0] * len(STEPS)
