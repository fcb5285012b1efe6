"""Titles behind the interfaces of PettingZoo and OpenSpiel."""
