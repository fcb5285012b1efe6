"""The whole service from outside, over HTTP and signals only."""
