"""The phases after the Endeavour, up to the end of the turn."""
