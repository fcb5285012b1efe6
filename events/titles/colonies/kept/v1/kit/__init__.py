"""Common parts of titles: words, immutable values, panels, positions, the map of two sister games.

No rule of any title lives here, and nothing here knows a title.
"""
