"""Tests of what every request meets, and of health."""
