"""Vectors of chunks: what is embedded, where vectors are kept, the matrix that a search multiplies."""
