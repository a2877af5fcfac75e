"""Embedding models: the real ones, and a deterministic fake."""
