"""Evals as code: data, a task and scorers, and what runs them."""
