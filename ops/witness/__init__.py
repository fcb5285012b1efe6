"""A witness of logs of games, for whoever is not their operator: `rutter witness`.

It keeps, for each log, the newest checkpoint that it has cosigned, and cosigns another one only if that
begins with the first. It needs no database and nothing of the games: only `events.tlog`, the standard
library, click, cryptography, and Flask where it serves.
"""
