"""The titles: one folder each, alike inside; `events/rules/catalogue.py` finds them by their folders."""
