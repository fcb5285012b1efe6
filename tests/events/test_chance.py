"""Randomness and its proof, against the published vectors of the protocol."""

import hmac
import uuid
from collections import Counter

import pytest

from events.proof import randomness
from events.proof.randomness import ReverseChain, Secrets, Seed, UniformStream
from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance, ScriptMismatch
from events.table.engine import ProvenChance

GAME = uuid.UUID("019a9f00-0000-7000-8000-000000000001").bytes
H_1 = bytes.fromhex("742c30d23eed27bddc2290ad94ecd2f8f2eacc72982f3198c9c9b29ec81c8f63")
S_0 = "2d85465fad067ad2b7e911230c246cd207d894dd7a3b2bdb077de4d99f2ca604"
U = bytes.fromhex("7f4604e7b70808a8fd756b202b1ed62f8db9d86802811b2c37895f0a205f7a2c")
DEAL = bytes([0x33]) * 32
SECRETS = Secrets(anchor=bytes([0x22]) * 32, deal=DEAL, hide=bytes([0x11]) * 32, bot=bytes([0x44]) * 32)


def test_reverse_chain_vector():
    """s_0 of a chain of four elements."""
    assert randomness.chain_element(bytes([0x22]) * 32, GAME, 4, 0).hex() == S_0
    assert ReverseChain(bytes([0x22]) * 32, GAME, 4).element(0).hex() == S_0


def test_reverse_chain_elements_agree():
    """Elements found through the kept ones equal those walked back from the anchor."""
    chain = ReverseChain(SECRETS.anchor, GAME, 200)
    for index in (0, 1, 63, 64, 65, 127, 128, 199, 200):
        assert chain.element(index) == randomness.chain_element(SECRETS.anchor, GAME, 200, index)
        if index:
            assert randomness.step_back(GAME, index, chain.element(index)) == chain.element(index - 1)


def test_reverse_chain_is_walked_when_it_is_needed_and_once(monkeypatch):
    """A game whose commands draw nothing in public costs none of its hashes; the walk is made once."""
    walks = []
    walked = ReverseChain._walk
    monkeypatch.setattr(ReverseChain, "_walk", lambda chain: walks.append(chain) or walked(chain))
    chain = ReverseChain(SECRETS.anchor, GAME, 200)
    assert not walks
    assert chain.element(7) != chain.element(190)
    assert walks == [chain]


def test_mix_vector():
    """U from one contribution, one that is lacking, a director's and a beacon's."""
    given = [("p0", bytes([1]) * 32), ("p1", b"")]
    mixed = randomness.mix(GAME, H_1, given, director=bytes([6]) * 32, beacon=bytes([7]) * 32)
    assert mixed.hex() == "408c5b0fdb4239edbe83776dbbbd2268bd4406456e34765fa545152a77cbe538"


def test_seed_vector():
    """What a seeded game follows from: the seed with a salt that nobody can guess."""
    seed = Seed(b"1234", bytes([0x55]) * 16)
    assert seed.key().hex() == "d03028f98663d8da447211a3f91d8195"
    secrets = seed.secrets()
    assert secrets.anchor.hex() == "dc734e339833a0f0ca306c035a07905d5e5b98fbdb7d2e0941169b7de9f718f7"
    assert secrets.deal.hex() == "9e779ebad07f10c2ac601a0861a0afd325e783a88e4855758496ca96d979efec"
    assert secrets.hide.hex() == "6b1ca9120533b6f9988511e2d3dcef0daf9247d0d89a1fe82d5e196af1379fae"
    assert secrets.bot.hex() == "9ac8ec3b8b10d500c9180538c164948fb4b3341b7e55129a6af0f598df10cd9a"


def test_bot_seed():
    """The seed of a bot's move follows from U, the seat and the commands of bots there, and nothing else."""
    mixed = bytes(range(32))
    message = b"bg/bot/3\0" + mixed + bytes([0, 0, 0, 3, 0, 0, 0, 7])
    assert SECRETS.bot_seed(mixed, 3, 7) == hmac.digest(SECRETS.bot, message, "sha256")


@pytest.mark.parametrize(("k", "faces"), [(1, [5, 1, 3, 3, 1]), (2, [4, 1, 5, 1, 1])])
def test_dice_vector(k, faces):
    """Public draws 1 and 2 of five dice."""
    element = randomness.chain_element(bytes([0x22]) * 32, GAME, 4, k)
    stream = UniformStream(randomness.derive_public_draw_key(element, U, k))
    assert [1 + stream.draw_below(6) for _ in range(5)] == faces


def test_deal_commitment_vector():
    """The commitment to the key of the hidden draws."""
    expected = "ca8dcb74584432d613f7702eb0a408e0051a306d2ffa3687569501fd60ebffbd"
    assert randomness.commit("deal", GAME, DEAL).hex() == expected


def test_hidden_stream_vector():
    """The published shuffle of ten cards comes out of the stream of hidden draw 1."""
    stream, deck = UniformStream(randomness.derive_hidden_draw_key(DEAL, U, 1)), list(range(10))
    for i in range(9, 0, -1):
        j = stream.draw_below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    assert deck == [5, 7, 8, 3, 2, 9, 6, 4, 0, 1]


def test_proven_chance_journal():
    """Public draws stand in the journal with their chain element; hidden ones are only counted."""
    chain = ReverseChain(SECRETS.anchor, GAME, 4)
    drawn = ProvenChance(SECRETS, chain, U, 0, 0)
    assert drawn.roll(5) == (5, 1, 3, 3, 1)
    assert drawn.pick("abc", hidden=True) in "abc"
    assert drawn.roll(5) == (4, 1, 5, 1, 1)
    assert [(d.k, d.got) for d in drawn.journal] == [(1, (4, 0, 2, 2, 0)), (2, (3, 0, 4, 0, 0))]
    assert (drawn.public, drawn.hidden) == (2, 1)
    assert drawn.journal[0].s == chain.element(1).hex()


def test_draw_depends_on_counts_only():
    """The same counts give the same outcome, whatever was asked before: a retried job draws the same."""
    chain = ReverseChain(SECRETS.anchor, GAME, 4)
    assert ProvenChance(SECRETS, chain, U, 1, 0).roll(5) == (4, 1, 5, 1, 1)


def test_used_up_chain_draws_on():
    """After the last element public draws derive from the hidden key, and say so."""
    drawn = ProvenChance(SECRETS, ReverseChain(SECRETS.anchor, GAME, 4), U, 4, 0)
    assert all(face in range(1, 7) for face in drawn.roll(20))
    assert drawn.journal[0].s == ""


def test_uniform():
    """Twelve thousand dice are fair (chi-square with 5 degrees of freedom, 0.1 % point 20.5)."""
    stream = UniformStream(b"k" * 32)
    seen = Counter(stream.draw_below(6) for _ in range(12_000))
    assert sum((seen[f] - 2000) ** 2 / 2000 for f in range(6)) < 20.5


def test_no_dice_no_draw():
    """Rolling zero dice makes no draw."""
    assert ScriptedChance([]).roll(0) == ()


def test_scripted():
    """A script gives its entries in order and refuses impossible ones."""
    script = ScriptedChance(["b", [6, 1], 4, 2])
    assert script.pick("abc") == "b"
    assert script.roll(2) == (6, 1)
    assert script.roll() == (4,)
    assert script.draw((3,), hidden=False) == [2]
    assert script.remaining == 0
    for entry, ask in (
        ("x", lambda s: s.pick("abc")),
        ([7], lambda s: s.roll()),
        (3, lambda s: s.draw((3,), hidden=True)),
    ):
        with pytest.raises(ScriptMismatch):
            ask(ScriptedChance([entry]))
    with pytest.raises(ScriptMismatch, match="lists no outcome"):
        script.pick("abc")


def test_script_falls_back():
    """Where the script ends the fallback draws on."""
    script = ScriptedChance([2], FastChance(1))
    assert script.pick((1, 2, 3)) == 2
    assert script.pick((1, 2, 3)) in (1, 2, 3)
    assert len(script.roll(3)) == 3
    assert len(script.draw((2, 2), hidden=False)) == 2


def deal_plainly(chance, cards, count):
    """The rule by which cards are dealt, as simply as it can be written."""
    left, dealt = list(cards), []
    while left and len(dealt) < count:
        card = chance.pick(left)
        left.remove(card)
        dealt.append(card)
    return tuple(dealt)


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, 2, 98, 256, 257, 511, 512, 513, 1000])
@pytest.mark.parametrize("kinds", [1, 7, 10_000])
def test_great_piles_are_dealt_like_small_ones(size, kinds):
    """The first of equal cards goes, so that what is recorded of a game does not depend on the size."""
    cards = [f"card {n * 7919 % kinds}" for n in range(size)]
    for count in (size, size // 2, size + 5):
        dealt = FastChance(size).deal(cards, count)
        assert dealt == deal_plainly(FastChance(size), cards, count)
    script = sorted(cards, reverse=True)
    assert ScriptedChance(script).deal(cards, size) == tuple(script)


def test_dealing_does_not_grow_with_the_square():
    """A pile of a hundred thousand is dealt at once: that many cards were half a minute's work."""
    cards = [f"card {n % 5000}" for n in range(100_000)]
    assert Counter(FastChance(1).deal(cards, len(cards))) == Counter(cards)
