"""A client of the API for programs that play: `Client` blocks, `AsyncClient` is awaited.

```python
from rutter.client import Client

with Client("https://rutter.example", token) as me:
    me.play(lambda turn: turn.asked[0] if turn.asked else None)
```
"""

from .answers import Game, Message, Move, Problem, Refused, Turn, Unanswered
from .blocking import Client
from .core import AsyncClient
from .receipts import BadReceipt, UnknownKey

__all__ = [
    "AsyncClient", "BadReceipt", "Client", "Game", "Message", "Move", "Problem", "Refused", "Turn",
    "Unanswered", "UnknownKey",
]  # fmt: skip
