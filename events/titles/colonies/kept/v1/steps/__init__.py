"""The steps of a turn, one module each: who decides, what is accepted, what follows."""
