"""Tests of accounts: names, tokens, clubs, ratings, vacations, and what browsers are told."""
