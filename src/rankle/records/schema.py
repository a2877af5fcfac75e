"""The tables of a record store, and how an older file becomes a current one.

A released version of the schema is never edited: what comes next is a migration, and tests/records holds a
file of every released version that must be readable, byte for byte.
"""

from typing import Final

APPLICATION_ID: Final = 0x726E6B72  # "rnkr": tells our files from other SQLite files
SCHEMA_VERSION: Final = 1

_FIRST: Final = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- in the order in which they began; never used again
    id TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,             -- id of the first run of the same command
    family_size INTEGER NOT NULL,     -- how many runs that command was to make
    name TEXT,                        -- as the user called it
    state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'interrupted')),
    created TEXT NOT NULL,            -- UTC, ISO 8601
    finished TEXT,
    rankle_version TEXT NOT NULL,
    git_revision TEXT,
    git_dirty INTEGER,
    set_name TEXT NOT NULL,
    set_fingerprint TEXT NOT NULL,
    n_queries INTEGER NOT NULL,
    level TEXT NOT NULL,
    depth INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    system_name TEXT NOT NULL,
    method TEXT NOT NULL,
    system_fingerprint TEXT NOT NULL,
    parts TEXT NOT NULL,              -- JSON: fingerprints of what the system is made of
    settings TEXT NOT NULL,           -- JSON: what was asked for
    measures TEXT NOT NULL,           -- JSON: measure to mean; {} until it is complete
    n_failed INTEGER,
    queries_fingerprint TEXT,
    judgments_fingerprint TEXT,
    pinned_for TEXT                   -- why it must not be pruned
);
CREATE INDEX runs_of_family ON runs (family);

-- What the cases were made from: the set, its judgments joined to the system, the system's description.
CREATE TABLE plans (
    run INTEGER PRIMARY KEY REFERENCES runs (number) ON DELETE CASCADE,
    plan BLOB NOT NULL
);

CREATE TABLE cases (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,        -- in the set, from 0
    query TEXT NOT NULL,              -- its id
    outcome BLOB NOT NULL,            -- results, stage ranks, time, or the failure
    trace TEXT,                       -- JSON
    UNIQUE (run, position)
);

CREATE TABLE reports (
    run INTEGER PRIMARY KEY REFERENCES runs (number) ON DELETE CASCADE,
    report BLOB NOT NULL
);

CREATE TABLE tags (
    name TEXT PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX tags_of_run ON tags (run);
"""


def _statements(script: str) -> tuple[str, ...]:
    return tuple(statement for part in script.split(";\n") if (statement := part.strip().rstrip(";")))


MIGRATIONS: Final[dict[int, tuple[str, ...]]] = {}
"""By the version that they start from: what makes the next version of it."""
CREATE: Final = _statements(_FIRST) + tuple(
    statement for version in sorted(MIGRATIONS) for statement in MIGRATIONS[version]
)
"""A file made afresh goes the way of one that was migrated, so the two cannot differ."""
