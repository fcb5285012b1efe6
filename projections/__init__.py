"""What follows the log: the read models (lobby, history), and the hints that tell followers of its growth."""
