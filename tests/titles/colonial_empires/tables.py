"""The variants that the battery plays beside the plain numbers of seats."""

TABLES = [
    (2, {"additional_empires": True}),
    (5, {"additional_empires": True}),
    (4, {"region_bonuses_stack": True}),
    (3, {"event_turns": "one_card", "paid_draws": "one", "paid_builds": "one", "additional_empires": True}),
]
