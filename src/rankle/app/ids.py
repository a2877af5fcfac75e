"""Ids of what is made here and has no content yet that could name it: runs, evals, judgments."""

import uuid
from datetime import UTC, datetime

from rankle.harness.stamp import Stamp


def new_id() -> str:
    """12 random hex digits."""
    return uuid.uuid4().hex[:12]


def new_stamp() -> Stamp:
    """A fresh id and the present time."""
    return Stamp(id=new_id(), created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
