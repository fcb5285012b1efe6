"""Routes for analysis: positions, forks, advice, odds."""
