"""Slow jobs: bots' turns, resolution by the server, projections; and the dispatcher that starts them."""
