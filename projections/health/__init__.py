"""The health of the processes: heartbeats, lag, failed tasks, the machines of a cluster."""
