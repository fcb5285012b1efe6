"""A witness of logs of games, run by another person than their operator: `rutter witness`.

For each log, it keeps the newest checkpoint that it has cosigned. It cosigns another one only if that begins
with the first. It needs no database and nothing of the games: only `events.tlog`, the standard library, click
and cryptography, and Flask for `serve`.
"""
