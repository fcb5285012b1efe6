"""The steps of the turn, one module each: who may act, what is accepted, what it does, what follows."""
