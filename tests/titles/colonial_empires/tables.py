"""The variants that the battery plays beside the plain numbers of seats."""

TABLES = [
    (2, {"additional_empires": True}),
    (5, {"additional_empires": True}),
    (4, {"region_bonuses_stack": True}),
]
