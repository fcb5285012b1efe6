"""Variants that the battery plays besides the plain tables."""

TABLES = [
    (3, {"quick_start_hands": True}),
    (2, {"colors": ["white", "green"]}),
]
