"""One game around a title: its terms, its facts, its decisions, its record and its fold."""
