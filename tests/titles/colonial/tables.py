"""Variants that the battery plays besides the default table of every number of seats."""

TABLES = [
    (5, {"variant": "nations"}),
    (3, {"variant": "basic", "allow_three_player_basic": True, "turn_limit": 8}),
    (
        4,
        {
            "variant": "nations",
            "abolition_per_merchant": True,
            "booming_city_prestige": "any",
            "circumnavigation": "same_round",
            "pay_sellers_only_if_shipped": True,
            "turn_limit": 10,
        },
    ),
]
