"""How much time each seat has, and what happens when it is up: values and arithmetic, without any clock."""
