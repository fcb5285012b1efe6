"""Titles and bots as files of the checkout: new titles, kept versions, the ladder of the bots."""
