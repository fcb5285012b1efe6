"""Common tools that know nothing of games: times, log lines, a cache, the installation."""
