"""The SQLite file of a workspace: the one place that holds its documents, chunks and full-text index."""
