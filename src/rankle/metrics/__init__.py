"""Ranking measures over arrays: judged ranks in, one float64 per query out. Touches no file."""
