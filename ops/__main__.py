"""`python -m ops ...` is the command `rutter ...`, from the root of the checkout."""

from ops.cli import main

main()
