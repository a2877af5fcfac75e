"""Ids of what is made here and has no content yet that could name it: runs, evals, judgments."""

import uuid


def new_id() -> str:
    """12 random hex digits."""
    return uuid.uuid4().hex[:12]
