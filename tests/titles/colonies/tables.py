"""The variants that the battery plays besides the plain game."""

TABLES = [
    (3, {"first_player_method": "random", "trade_agreement_max": 4}),
    (4, {"credits_visibility": "secret", "max_finger_rounds": 1}),
]
