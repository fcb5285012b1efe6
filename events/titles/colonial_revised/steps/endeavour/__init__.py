"""The Endeavour phase: a seat's turn in a round, the Financier, war and Rebellions."""
