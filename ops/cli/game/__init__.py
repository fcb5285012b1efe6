"""Commands about one game or tournament: its bundle, and what can be proved by it."""
