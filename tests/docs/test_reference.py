"""The generated pages of reference: what they hold, beyond being what the code says."""

import re

import pytest

from rankle.app.project_keys import KEYS, VARIABLES
from tools.docs_reference import SHOWN_BY, configuration_page, schemas, schemas_page

SCHEMAS = schemas()


def test_every_key_and_variable_has_a_row_with_its_meaning() -> None:
    page = configuration_page()
    for key in KEYS:
        meaning = key.meaning.replace("|", r"\|")
        assert re.search(rf"^\| `{key.name}` \|.*\| {re.escape(meaning)} \|$", page, re.MULTILINE), key.name
    for variable in VARIABLES:
        assert f"| `{variable.name}` | " in page


@pytest.mark.parametrize("stem", SCHEMAS)
def test_every_schema_is_told_with_its_members_and_what_prints_it(stem: str) -> None:
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", schemas_page(), re.MULTILINE | re.DOTALL))
    section = sections[SCHEMAS[stem]["title"]]
    assert SHOWN_BY[stem.rpartition("-")[0]] in section
    for part, definition in SCHEMAS[stem]["$defs"].items():
        elsewhere = re.search(rf"^\*\*{part}\*\*: as in \[(\S+)\]", section, re.MULTILINE)
        told = sections[elsewhere[1]] if elsewhere else section
        table = told.split(f"**{part}**")[1]
        for member, value in definition.get("properties", {}).items():
            row = re.search(rf"^\| `{re.escape(member)}` \| (.+) \| (.*) \|$", table, re.MULTILINE)
            assert row, (part, member)
            assert row[2].replace(r"\|", "|") == " ".join(value.get("description", "").split())
