"""The shell: the log in Postgres, the loop that writes, replay, replicas, archived games, keys."""
