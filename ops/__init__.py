"""The command `rutter`, and what runs, deploys, measures and checks a server."""
