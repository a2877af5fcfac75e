"""Intervals, tests and the distributions they need, over arrays. Touches no file, clock or environment."""
