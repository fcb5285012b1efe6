"""A refusal links the clause that it rests on: the one that a worked example names."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.rules import vectors
from events.rules.catalogue import title_ids
from service.presenters.rulebooks import find_clause
from tests.vectors.test_vectors import ALL

TITLES = tuple(title for title in title_ids() if (Path(__file__).parent / f"{title}.yaml").exists())

OTHER = {
    "CEM-V-54b": "the clause is what is public; the refusal rests on the check when an offer is accepted",
    "CEM-W-01": "the clause is who may be chosen; the refusals rest on one empire for one player",
    "CEM-W-24": "the clause is what is free; the refusal rests on the payment of the rest",
    "CEM-W-44": "the clause is the card's effect; the refusal rests on the one for cards without any",
    "CLN-W-15": "an answer of the wrong shape is refused before the primitive is looked at",
    "CLN-W-17": "an answer of the wrong shape is refused before the primitive is looked at",
    "CLN-W-22": "the clause gives the action; the refusal rests on the action's own",
    "CLN-W-23": "the clause gives the action; the refusal rests on the action's own",
    "COL-V-10c": "that nothing can be paid (COL-17-08) shows in each payment that is refused (COL-17-03)",
    "COL-V-20": "an extra card makes a hand of seven (COL-25-04); that rows come from the hand is COL-04-03",
    "COL-V-24": "bonus Monopolies (COL-25-17) count for the limit, which is COL-04-15",
    "REV-V-11c": "what becomes of the former City (REV-189, REV-190); the value is refused by REV-187",
    "REV-O-05c": "the steps before it are about control; a played card is refused by REV-023",
    "REV-O-07b": "maintenance is paid first (REV-040); then less is left, and REV-003 refuses",
    "REV-O-25c": "outsiders and Emergency Loans; the cap of the turn is REV-363",
    "REV-O-50c": "a game that has ended (REV-396) asks nobody; without a Loan REV-176 refuses first",
}
"""Examples whose clauses are what they show, and not what refuses; the reason of each."""


def refusing(title_id):
    """The examples of a title in which something is refused."""
    for vector in (each for each in ALL if each["title"] == title_id):
        steps = [*(vector.get("when") or []), vector.get("then") or {}]
        if any("rejected" in step for step in steps):
            yield vector


def shows_what_refuses(vector, title_id):
    """Whether an example's clauses are those by which it is refused, and not also what surrounds them."""
    if title_id in ("colonial", "colonial_revised"):
        return "-W-" not in vector["id"]  # those are about the order of several checks
    return len(vector["clauses"]) == 1


EXAMPLES = [
    pytest.param(vector, id=vector["id"])
    for title_id in TITLES
    for vector in refusing(title_id)
    if shows_what_refuses(vector, title_id) and vector["id"] not in OTHER
]


@pytest.mark.parametrize("vector", EXAMPLES)
def test_a_refusal_rests_on_the_clause(vector):
    """Whatever a rule of the title refuses leads to the clause; the rest no rule was asked about."""
    found = []
    vectors.run(vector, lambda title, refused: found.append(find_clause(refused, title)))
    linked = {address.partition("#")[2] for address in found if address}
    assert linked <= set(vector["clauses"])


@pytest.mark.parametrize("title_id", TITLES)
def test_refusals_link_a_clause(title_id):
    """Nothing that a rule of the title refuses in any example is without a clause."""
    linked = []
    for vector in refusing(title_id):
        vectors.run(vector, lambda title, refused: linked.append((refused, find_clause(refused, title))))
    ours = [address for refused, address in linked if by_the_title(refused, title_id)]
    assert len(ours) > 20
    assert None not in ours


def by_the_title(refused, title_id):
    """Whether a rule of the title refused, not what all titles have in common."""
    trace, names = refused.__traceback__, []
    while trace is not None:
        names.append(trace.tb_frame.f_globals["__name__"])
        trace = trace.tb_next
    return names[-1].startswith(f"events.titles.{title_id}.")
