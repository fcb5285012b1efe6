"""Tables that the battery plays besides every number of seats."""

TABLES = [(4, {"end_roll_bonus": 3, "war_box_counts_privateer_war": True})]
