"""Commands about the transparency log: its keys, its audit, its succession."""
