"""The steps of the turn, one module a phase or step; `order.py` puts them together."""
