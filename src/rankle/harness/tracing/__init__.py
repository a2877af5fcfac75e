"""What steps a task took, and which models it called."""
