"""Text to tokens, the same for documents and queries."""
