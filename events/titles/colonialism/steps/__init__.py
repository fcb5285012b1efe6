"""The steps of the game: who may act in each, what it accepts, what it does, what follows."""
