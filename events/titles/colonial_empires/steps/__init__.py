"""The steps of the game, one module a phase or step.

A handler takes a command of a seat and emits what it does. It returns True when with it the phase is
over; :mod:`.turn` then begins the next one.
"""
