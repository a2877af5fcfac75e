"""Runs a plan of queries against a system and assembles the record of what came out."""
