"""The steps of the turn, by rule: who is asked, what may be done, what it does, and what follows."""
