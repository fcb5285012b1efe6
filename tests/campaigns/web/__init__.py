"""The page with every title, in every colour, and against bots that are quicker than the player."""
