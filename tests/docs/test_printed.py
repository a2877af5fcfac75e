"""What commands of pages print and pages do not show: tools/docs_printed.py."""

import pytest

from tools.docs_check import REPOSITORY
from tools.docs_printed import Printed, agrees, kept_of, orphans, stale, written
from tools.docs_run import pages_to_run

LISTED = Printed("rankle docs list", ("a.md", "b.md", "", "2 documents, ___ ms"))
COUNTED = Printed("rankle eval a.jsonl", ("Queries: 3",))
KEPT = """\
What commands of docs/a.md print. To renew it: python tools/docs_run.py docs/a.md --write

$ rankle docs list
a.md
b.md

2 documents, ___ ms

$ rankle eval a.jsonl
Queries: 3
"""


def renewed(*printed: Printed, before: str = KEPT) -> str:
    return written(printed, name="docs/a.md", before=before)


def test_every_command_stands_above_what_it_printed() -> None:
    assert renewed(LISTED, COUNTED, before="") == KEPT
    assert renewed(before=KEPT) == ""


def test_what_is_of_the_moment_changes_nothing() -> None:
    later = Printed(LISTED.command, ("a.md", "b.md", "", "2 documents, _____ s"))
    assert renewed(later, COUNTED) == KEPT


def test_where_a_paragraph_with_a_time_breaks_is_no_matter_and_elsewhere_it_is() -> None:
    broken = Printed(LISTED.command, ("a.md", "b.md", "", "2 documents,", "  ___ ms"))
    assert renewed(broken, COUNTED) == KEPT
    assert renewed(Printed(LISTED.command, ("a.md b.md", *LISTED.lines[2:])), COUNTED) != KEPT


def test_three_dots_may_stand_beside_a_line_with_a_time() -> None:
    got = ["Workspace: notes", "Documents: 1 added", "Time: __ s"]
    assert agrees(["Workspace: notes", "…", "Time: ____ ms"], got)
    assert not agrees(["Workspace: notes", "…", "Times: ____ ms"], got)


def test_what_is_printed_otherwise_is_written_and_so_is_another_order() -> None:
    assert renewed(LISTED, Printed(COUNTED.command, ("Queries: 4",))) == KEPT.replace("3", "4")
    assert renewed(COUNTED, LISTED) != KEPT


def test_a_command_that_the_page_has_no_more_goes() -> None:
    assert renewed(LISTED) == KEPT.split("\n$ rankle eval")[0]


def test_three_dots_that_people_put_in_stay_while_the_rest_fits() -> None:
    dotted = KEPT.replace("a.md\nb.md", "…\nb.md")
    assert renewed(LISTED, COUNTED, before=dotted) == dotted
    longer = Printed(LISTED.command, ("0.md", *LISTED.lines))
    assert renewed(longer, COUNTED, before=dotted) == dotted
    other = Printed(LISTED.command, ("a.md", "c.md", *LISTED.lines[2:]))
    assert "a.md\nc.md" in renewed(other, COUNTED, before=dotted)


def test_the_same_command_twice_is_kept_twice() -> None:
    twice = renewed(COUNTED, Printed(COUNTED.command, ("Queries: 4",)), before="")
    assert twice.count("$ rankle eval a.jsonl") == 2
    assert renewed(COUNTED, Printed(COUNTED.command, ("Queries: 4",)), before=twice) == twice


def test_a_line_that_looks_like_a_command_is_none() -> None:
    once = renewed(Printed("cat notes", ("$ rankle eval", "$ …")), before="")
    assert renewed(Printed("cat notes", ("$ rankle eval", "$ …")), before=once) == once


def test_what_differs_is_shown_with_the_command_that_renews_it() -> None:
    page = REPOSITORY / "docs" / "cli.md"  # of which nothing is run
    assert stale(page, []) == ""
    told = stale(page, [COUNTED]).splitlines()
    assert told[:2] == ["--- tests/docs/printed/cli.txt", "+++ printed now"]
    assert told[-3:] == ["+Queries: 3", "", "If that is meant: python tools/docs_run.py docs/cli.md --write"]


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("README.md", "README.txt"),
        ("docs/gates.md", "gates.txt"),
        ("docs/decisions/README.md", "decisions-README.txt"),
    ],
)
def test_every_page_has_a_file_of_its_own(page: str, name: str) -> None:
    assert kept_of(REPOSITORY / page).name == name


def test_what_is_kept_is_of_pages_that_are_run() -> None:
    assert orphans(pages_to_run()) == []
    gates = REPOSITORY / "docs" / "gates.md"
    assert orphans([page for page in pages_to_run() if page != gates]) == [kept_of(gates)]
