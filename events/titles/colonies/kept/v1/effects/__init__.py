"""The primitives of event effects: what each does, and what it asks of the affected player."""
