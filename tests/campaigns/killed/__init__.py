"""Campaigns in which processes are killed again and again, at moments that are drawn."""
