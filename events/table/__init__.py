"""One game around a title: its terms, its facts, what a request leads to, how it is recorded and folded."""
