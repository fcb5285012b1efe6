"""Tests of the titles: one battery for all, and a folder for each."""
