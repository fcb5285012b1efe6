"""Slow jobs: bots' turns, resolution by the house, projections; and the dispatcher that starts them."""
