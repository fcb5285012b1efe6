"""The Endeavour phase: programming, the rounds, the twelve Characters, and war."""
