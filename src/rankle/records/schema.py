"""The tables of a record store, and how an older file becomes a current one.

A released version of the schema is never edited: what comes next is a migration, and tests/records holds a
file of every released version that must be readable, byte for byte.
"""

from typing import Final

APPLICATION_ID: Final = 0x726E6B72  # "rnkr": tells our files from other SQLite files
SCHEMA_VERSION: Final = 2

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

_EVALS: Final = """
ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'run' CHECK (kind IN ('run', 'eval'));

-- What is known of a run of kind 'eval' beside: one eval, run by one command with others of its family. There
-- set_fingerprint is that of the data, system_fingerprint that of the task, and n_queries counts cases.
CREATE TABLE evals (
    run INTEGER PRIMARY KEY REFERENCES runs (number) ON DELETE CASCADE,
    key TEXT NOT NULL,                -- path::name, with [variant] behind it
    name TEXT NOT NULL,
    trials INTEGER NOT NULL,          -- of each case
    is_full INTEGER NOT NULL,         -- whether the command left no case out
    scorers TEXT NOT NULL,            -- JSON: their names, in order
    cases_fingerprint TEXT NOT NULL,  -- of the ids of the cases that are run, in order
    summary BLOB,                     -- JSON; null until it is complete
    figures BLOB                      -- JSON: what each case came to; null until it is complete
);
CREATE INDEX evals_of_key ON evals (key);

-- A command that ran evals; its id is the family of their runs.
CREATE TABLE eval_runs (
    family TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    summary BLOB,                     -- JSON; null until all of its evals are complete
    evals BLOB                        -- JSON: its evals, in order; null likewise
);

CREATE TABLE eval_cases (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,        -- among the cases that are run, from 0
    case_id TEXT NOT NULL,
    content BLOB NOT NULL,            -- JSON: input, expectation, metadata, tags, position in the data
    UNIQUE (run, position)
);

CREATE TABLE trials (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,        -- of its case
    trial INTEGER NOT NULL,           -- from 0
    report BLOB NOT NULL,             -- JSON: output, scores, trace, time, or the failure
    UNIQUE (run, position, trial)
);

-- What tasks and models gave before, by what it depends on.
CREATE TABLE cache (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,         -- SHA-256 in hex
    kind TEXT NOT NULL,               -- task, model
    took_ms REAL NOT NULL,
    created INTEGER NOT NULL,         -- seconds since 1970
    last_used INTEGER NOT NULL,       -- milliseconds since 1970
    size INTEGER NOT NULL,            -- bytes of the value as it is stored
    value BLOB NOT NULL
);
CREATE INDEX cache_by_use ON cache (last_used, created, size, kind, took_ms);

-- By it a later run takes a case that asks the same of the same: SHA-256 in hex; null: ask again.
ALTER TABLE cases ADD COLUMN key TEXT;
-- Id of the run that asked, where this one took it from there.
ALTER TABLE cases ADD COLUMN reused_from TEXT;
CREATE INDEX cases_by_key ON cases (key) WHERE key IS NOT NULL;
"""


def _statements(script: str) -> tuple[str, ...]:
    return tuple(statement for part in script.split(";\n") if (statement := part.strip().rstrip(";")))


MIGRATIONS: Final[dict[int, tuple[str, ...]]] = {1: _statements(_EVALS)}
"""By the version that they start from: what makes the next version of it."""
CREATE: Final = _statements(_FIRST) + tuple(
    statement for version in sorted(MIGRATIONS) for statement in MIGRATIONS[version]
)
"""A file made afresh goes the way of one that was migrated, so the two cannot differ."""
