"""The titles: one folder each, alike inside; `events/catalogue.py` finds them by their folder's name."""
