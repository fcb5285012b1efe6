"""The time of each seat, and what happens when it is up: values and arithmetic, without any clock."""
