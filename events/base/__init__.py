"""What everything uses and what knows nothing of games: times, log lines, a cache, the installation."""
