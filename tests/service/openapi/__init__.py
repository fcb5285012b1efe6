"""Tests of the API's description and of the documentation."""
