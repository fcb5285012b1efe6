"""Read models: what the lobby shows, what each seat sees, what is told. All of it follows from the log."""
