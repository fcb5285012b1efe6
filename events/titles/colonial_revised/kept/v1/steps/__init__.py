"""The steps of the turn and the Characters: who may act, what is accepted, what it does, what follows."""
