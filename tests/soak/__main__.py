"""`python -m tests.soak` runs a soak."""

from tests.soak.campaign import command

command()
