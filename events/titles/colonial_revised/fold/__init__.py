"""How facts change the state, by subject; the table of all of them is in `evolve.py`."""
