# ruff: noqa: E501
"""What people read about the labels of a set."""

import json

import jsonschema
import pytest
from rich.cells import cell_len

from rankle.core.label_check import CheckReport, LabelVerdict, Repair, SetFault
from rankle.core.run import SetInfo
from rankle.reports.label_check import render_check, render_check_json
from rankle.reports.schema import schema_of

MOVED = LabelVerdict(
    query="1", line=3, target="hr/leave.md", verdict="moved", then="Ask before nine.", now="Ask before nine.",
    why="it stands at 40 to 56 (line 4) now, not at 12 to 28", likeness=100.0,
    repaired=[{"document": "hr/leave.md", "quote": "Ask before nine.", "start": 40, "end": 56, "relevance": 1}],
)  # fmt: skip
EDITED = LabelVerdict(
    query="2", line=4, target="hr/sick.md", verdict="valid", then="Call before nine.", now="Call before ten.",
    why="some words differ", likeness=91.4, repaired=[],
)  # fmt: skip
MAYBE = LabelVerdict(
    query="2", line=5, target="hr/old.md", verdict="moved", then="Call before nine.", now="Call before ten.",
    why="it may stand in hr/new.md now, in other words, at 4 to 20 (line 1)", likeness=91.4, repaired=None,
)  # fmt: skip
GONE = LabelVerdict(
    query="q3", line=None, target="a/very/long/path/" * 8, verdict="gone", then="word " * 100, now=None,
    why='no document has this name; did you mean "a.md"?', likeness=100.0, repaired=[],
)  # fmt: skip


def report(
    *labels: LabelVerdict,
    faults: int = 0,
    bad_lines: int = 0,
    mixed: bool = False,
    repair: Repair | None = None,
) -> CheckReport:
    counts = {
        verdict: sum(label.verdict == verdict for label in labels)
        for verdict in ("valid", "moved", "split", "merged", "gone")
    }
    fault = SetFault(line=9, message='the quote "Ask." stands 2 times in a.md, at lines 1, 2')
    return CheckReport(
        rankle_version="1", set=SetInfo(name="set.jsonl", fingerprint="0" * 64, n_queries=3, n_in_file=3),
        workspace="default", level=None if mixed else "span", counts=counts, n_unclear=faults,
        n_bad_lines=bad_lines, faults=[fault] * (faults + bad_lines + mixed),
        remarks=[SetFault(line=7, message="has no label")] if labels else [], labels=list(labels), repair=repair,
    )  # fmt: skip


def test_counts_stand_first_then_what_is_stale_with_the_text_then_and_now() -> None:
    assert render_check(report(MOVED, EDITED), path="set.jsonl") == (
        """\
set.jsonl: 2 labels of 3 queries, by passage, against workspace default

valid 1, moved 1, split 0, merged 0, gone 0

Valid, though some words differ
  line 4  hr/sick.md: some words differ (91 % alike)
    then  Call before nine.
    now   Call before ten.

Moved
  line 3  hr/leave.md: it stands at 40 to 56 (line 4) now, not at 12 to 28
    then  Ask before nine.

Probably not meant
  line 7  has no label

1 of 1 stale label can be repaired for certain:
  rankle eval check set.jsonl --fix -o NEW
"""
    )


@pytest.mark.parametrize("width", [40, 80, 100])
def test_no_line_is_wider_than_the_screen_whatever_stands_in_the_set(width: int) -> None:
    evil = LabelVerdict(
        query="\x1b[31m", line=None, target="\x1b[2J" + "文" * 90, verdict="gone", then="\r\x07" + "x" * 300,
        now=None, why="z" * 200, likeness=100.0, repaired=[],
    )  # fmt: skip
    shown = render_check(report(MOVED, GONE, evil), path="s", width=width)
    assert max(map(cell_len, shown.splitlines())) <= width
    assert "\x1b" not in shown
    assert "\r" not in shown


def test_what_cannot_be_read_or_scored_stands_in_the_counts() -> None:
    shown = render_check(report(MOVED, faults=1, bad_lines=2, mixed=True), path="set.jsonl")
    assert shown.startswith("set.jsonl: 2 labels of 3 queries, of several kinds, against workspace default\n")
    assert "gone 0, unclear 1, bad lines 2\n" in shown
    assert "Faults: the set cannot be scored\n  line 9" in shown


def test_only_the_first_labels_of_a_verdict_are_shown() -> None:
    shown = render_check(report(*[MOVED] * 14), path="set.jsonl")
    assert shown.count("line 3") == 10
    assert "… and 4 more; --json has all" in shown


@pytest.mark.parametrize(
    ("given", "last"),
    [
        (report(EDITED), "Every label is valid."),
        (report(GONE), "No stale label can be repaired for certain. To leave out what is gone:\n  rankle eval check set.jsonl --fix --drop-gone -o NEW"),
        (
            report(MAYBE),
            "No stale label can be repaired for certain; write into set.jsonl what is meant\nnow.",
        ),
        (report(MOVED, faults=1), "Mend the faults, then check again."),
        (report(MOVED, bad_lines=1), "Mend the faults, then check again."),
        (report(MOVED, mixed=True), "Mend the faults, then check again."),
        (
            report(MOVED, GONE, repair=Repair(path="new.jsonl", n_repaired=1, n_dropped=0, n_left=1, n_passages=2)),
            "Wrote new.jsonl: 1 label repaired, 2 passages added, 1 stale as before, for you\nto settle.",
        ),
        (
            report(MOVED, GONE, repair=Repair(path="new.jsonl", n_repaired=1, n_dropped=1, n_left=0, n_passages=0)),
            "Wrote new.jsonl: 1 label repaired, 1 of what is gone left out.",
        ),
    ],
    ids=["valid", "gone", "nowhere for certain", "unclear", "bad lines", "mixed", "fixed", "dropped"],
)  # fmt: skip
def test_the_last_line_says_what_to_do_or_what_was_done(given: CheckReport, last: str) -> None:
    assert render_check(given, path="set.jsonl").endswith(f"\n\n{last}\n")


def test_the_json_fits_its_schema() -> None:
    jsonschema.validate(json.loads(render_check_json(report(mixed=True))), schema_of("check-1"))
    value = json.loads(render_check_json(report(MOVED, EDITED, GONE, faults=1)))
    assert value["schema"] == "rankle.check/1"
    jsonschema.validate(value, schema_of("check-1"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value | {"level": "page"}, schema_of("check-1"))
