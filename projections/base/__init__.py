"""Common tools of the read models: lanes, the clock of the server, Redis, checks beside requests."""
