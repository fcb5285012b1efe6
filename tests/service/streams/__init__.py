"""Tests of live streams, notices and webhooks."""
