"""The record store: what every run left behind, in one SQLite file of a project."""
