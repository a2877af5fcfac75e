"""docs/systems.md: its tables open, its module is asked, its lists of options are those of the code."""

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Final

import msgspec
import pytest

from fakes.opened import opened
from fakes.search_server import Reply, search_server
from rankle.core.evalset import Level
from rankle.core.ports import RunningSystem
from rankle.systems.command_system import CommandOptions
from rankle.systems.http_options import HttpOptions
from rankle.systems.options import Reading
from rankle.systems.python_callable import PythonOptions
from rankle.systems.recorded_run import RunOptions
from tools.docs_check import REPOSITORY

_TEXT: Final = (REPOSITORY / "docs" / "systems.md").read_text(encoding="utf-8")
_TABLES: Final = re.findall(r"^```toml\n(.*?)^```", _TEXT, re.MULTILINE | re.DOTALL)
_MODULE: Final = re.search(r"^```python\n(# my_search.py\n.*?)^```", _TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("place", range(len(_TABLES)))
def test_every_table_of_the_page_opens(place: int, tmp_path: Path) -> None:
    assert _MODULE is not None
    (tmp_path / "my_search.py").write_text(_MODULE[1], encoding="utf-8")
    (tmp_path / "rankle.toml").write_text(_TABLES[place], encoding="utf-8")
    (name,) = tomllib.loads(_TABLES[place])["systems"]
    with opened(name, cwd=tmp_path, environ={"SEARCH_TOKEN": "t"}) as system:
        assert system.describe().name == name


def test_the_module_of_the_page_is_asked(tmp_path: Path) -> None:
    assert _MODULE is not None
    (tmp_path / "my_search.py").write_text(_MODULE[1], encoding="utf-8")
    with opened("python:my_search:find", cwd=tmp_path) as system:
        result = asyncio.run(system.search("how do I reset it", depth=10, level=Level.DOCUMENT))
    assert [hit.id for hit in result.hits] == ["guide/reset.md", "guide/setup.md"]


def test_the_table_of_a_server_reads_what_such_a_server_answers(tmp_path: Path) -> None:
    table = next(each for each in _TABLES if "hits.hits" in each)
    answer = {
        "hits": {"total": 1, "hits": [{"_id": "7", "_score": 2.5, "_source": {"path": "guide/reset.md"}}]}
    }
    with search_server() as server:
        server.respond = lambda _: Reply(answer)
        local = table.replace("https://search.example.com", server.url)
        (tmp_path / "rankle.toml").write_text(local, encoding="utf-8")
        with opened("production", cwd=tmp_path, environ={"SEARCH_TOKEN": "t"}) as system:
            assert isinstance(system, RunningSystem)

            async def ask() -> list[tuple[str, float]]:
                await system.start()
                result = await system.search("reset", depth=10, level=Level.DOCUMENT)
                await system.stop()
                return [(hit.id, hit.score) for hit in result.hits]

            assert asyncio.run(ask()) == [("guide/reset.md", 2.5)]
        asked = server.asked[-1]
    assert asked.path == "/v1/products/_search"
    assert asked.headers["authorization"] == "Bearer t"
    assert asked.body == {"size": 10, "query": {"match": {"text": "reset"}}}


@pytest.mark.parametrize("options", [Reading, HttpOptions, PythonOptions, CommandOptions, RunOptions])
def test_every_option_is_on_the_page(options: type[msgspec.Struct]) -> None:
    absent = [name for name in options.__struct_fields__ if not re.search(rf"\b{name}\b", _TEXT)]
    assert absent == []
