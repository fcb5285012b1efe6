"""Measurements of `rutter bench` and `rutter capacity`: each row a figure and its measurement."""
