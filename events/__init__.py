"""The functional core: what may happen in a game, and what did happen.

No clock, no global randomness and no I/O live here, except in :mod:`events.log`,
the one module that writes events.
"""
