"""Tests of Colonial, 2nd edition."""
