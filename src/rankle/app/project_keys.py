"""What can stand in a project file and in the environment: each name with what it means.

The code that reads a setting knows its name and checks it; the words are here, for the file that
`rankle init` writes and for the documentation. Tests hold these names against those that are read.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ProjectKey:
    """One key of a project file."""

    table: str
    """Where it stands: `""` for the top of the file, else the name of its table."""
    name: str
    example: str
    """A value, as TOML; of a key that is a table of its own, its lines."""
    default: str
    meaning: str
    """One line, without a full stop."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the environment."""

    name: str
    default: str
    meaning: str


TOP: Final = (
    ProjectKey(
        "",
        "workspace",
        '"handbook"',
        '"default", or what `rankle workspace use` chose',
        "The workspace of this project; -w and RANKLE_WORKSPACE outrank it",
    ),
    ProjectKey(
        "",
        "model",
        '"e5-small"',
        "e5-small where it is installed, else none",
        'The embedding model of new workspaces: "e5-small", "openai:MODEL@URL", "onnx:PATH" or "none"',
    ),
    ProjectKey(
        "",
        "records",
        '".rankle/records.db"',
        '".rankle/records.db" beside this file',
        'Where runs are recorded, relative to this file; "none" leaves no record',
    ),
)
RUN: Final = (
    ProjectKey("run", "timeout_s", "30", "30", "Seconds that a task, or a scorer, may take"),
    ProjectKey("run", "concurrency", "5", "5", "Trials in flight at a time, of all evals"),
    ProjectKey("run", "trials", "1", "1", "How often each case is run"),
    ProjectKey("run", "threshold", "70", "none", "Per cent that every eval must score, 0 to 100"),
    ProjectKey("run", "cache", "true", "true", "Whether cacheable tasks and wrapped clients are cached"),
    ProjectKey("run", "max_failures", "0", "0", "Cases that may crash before the exit code is 2"),
    ProjectKey("run", "storage", '"sqlite"', '"sqlite"', 'Keep records, or leave none: "memory"'),
    ProjectKey(
        "run", "setup", '[".env"]', "nothing", "Variables and Python files to load before the first eval"
    ),
    ProjectKey(
        "run", "limits", "{ gpu = 1 }", "no limit", "Tasks in flight for each resource that evals name"
    ),
    ProjectKey("run", "port", "3006", "3006", "Of the page that shows evals while they run"),
)
GATES: Final = (
    ProjectKey("gates", "name", '"nightly"', "the file", "What reports call the gate"),
    ProjectKey("gates", "set", '"queries.jsonl"', "any", "The set, or the eval, that the gate is for"),
    ProjectKey(
        "gates",
        "baseline",
        '"main"',
        "none",
        "What runs are held against, here baselines/main.json; or a path that ends in .json",
    ),
    ProjectKey("gates", "min_queries", "6", "6", "Fewer scored queries could not be measured"),
    ProjectKey("gates", "max_failures", "0", "0", "Queries on which search may fail"),
    ProjectKey("gates", "max_stale_labels", "0", "0", "Labels that may name nothing in the index"),
    ProjectKey(
        "gates",
        "max_unjudged",
        '"30 %"',
        "no limit",
        "Share of the first 10 results without a judgment; or { share = 0.3, within = 5 }",
    ),
    ProjectKey(
        "gates", "latency_p95_ms", "200", "no limit", "Of single searches; evaluate with --one-by-one"
    ),
    ProjectKey("gates", "phase", '"beta"', "none", 'Hit@10 of at least 70 % "mvp", 80 % "beta", 90 % "ga"'),
    ProjectKey(
        "gates", "floors", '{ "nDCG@10" = 0.7 }', "none", "The least that the mean of a measure may be"
    ),
    ProjectKey(
        "gates",
        "no_regression",
        '{ "nDCG@10" = 0.02 }',
        "none",
        "The largest drop from the baseline that is accepted",
    ),
    ProjectKey(
        "gates",
        "protected",
        '{ targets = ["guide.md"], within = 10 }',
        "none",
        'Documents that every query finds; or file = "protected.txt"',
    ),
    ProjectKey(
        "gates",
        "slices",
        '[{ tag = "errors", floors = { "Hit@1" = 0.9 } }]',
        "none",
        "Floors of a part of the queries",
    ),
)
SLICES: Final = (
    ProjectKey("gates.slices", "language", '"de"', "any", "Queries of this language"),
    ProjectKey("gates.slices", "tag", '"error codes"', "any", "Queries with this tag"),
    ProjectKey("gates.slices", "collection", '"guides"', "any", "Queries of this collection"),
)
KEYS: Final = (*TOP, *RUN, *GATES, *SLICES)

VARIABLES: Final = (
    Variable("RANKLE_HOME", "the platform's folder of user data", "Folder of the workspaces"),
    Variable("RANKLE_WORKSPACE", "the project file's", "The workspace; -w outranks it"),
    Variable("RANKLE_MODEL", "the project file's", "The embedding model of new workspaces; `none` for none"),
    Variable("RANKLE_RECORDS", "the project file's", "The store of records; `none` for no records"),
    Variable("RANKLE_CACHE", "the platform's cache folder", "Folder of the models"),
    Variable("RANKLE_RATER", "your login name", "Who rates and labels"),
    Variable("OPENAI_API_KEY", "none", "Sent to the server of an `openai:` model"),
    Variable("HF_ENDPOINT", "the public hub", "Address of a mirror of the model hub"),
    Variable("HF_HUB_OFFLINE", "unset", "`1`: no model is downloaded"),
    Variable("NO_COLOR", "unset", "Anything: no colour, on a terminal either"),
    Variable("FORCE_COLOR", "unset", "Anything: colour in pipes and logs too, but for what programs read"),
    Variable("GITHUB_STEP_SUMMARY", "set by GitHub Actions", "The file that `--github` adds to"),
)
