"""Systems in Python: how each kind of object is asked."""

import asyncio
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from fakes.opened import opened, write_project
from fakes.searchable import KEY
from rankle.core.errors import CannotMeasureError, InputError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, PassageSource, SearchSystem
from rankle.core.text_range import Range
from rankle.harness.batches import answers_batches

_NUMBER = count()
_KINDS: Final = {
    "a function": "def it(query):\n    return [query]",
    "a function with a depth": "def it(query, top_k):\n    assert top_k == 3\n    return [query]",
    "an async function": "async def it(query):\n    return [query]",
    "a function that makes a search": "def it():\n    return lambda query: [query]",
    "a class": "class it:\n    def __call__(self, query):\n        return [query]",
    "an object": "class S:\n    def search(self, query, k):\n        return [query]\nit = S()",
    "an object to await": "class S:\n    async def search(self, query):\n        return [query]\nit = S()",
    "an async object": "class S:\n    async def __call__(self, query):\n        return [query]\nit = S()",
    "LlamaIndex's form": (
        "class N:\n    def __init__(self, name):\n        self.node_id, self.metadata = name, {}\n"
        "class R:\n    def retrieve(self, bundle):\n        return [N(bundle)]\nit = R()"
    ),
    "Haystack's form": (
        "class R:\n    def run(self, query, filters=None, top_k=None):\n"
        "        return {'documents': [{'id': query, 'meta': {}, 'score': 1.0}]}\nit = R()"
    ),
    "a generator": "def it(query):\n    yield query",
    "an async generator": "async def it(query):\n    yield query",
    "a path": "from pathlib import Path\ndef it(query):\n    return [Path(query)]",
    "LangChain's store": (
        "class S:\n    def search(self, query, search_type): ...\n    def as_retriever(self): ...\n"
        "    def similarity_search(self, query, k=4):\n"
        "        assert k == 3\n        return [query]\nit = S()"
    ),
    "LlamaIndex's async form": (
        "class BaseRetriever:\n    def retrieve(self, bundle):\n        1 / 0\n"
        "    async def aretrieve(self, bundle):\n        return await self._aretrieve(bundle)\n"
        "class R(BaseRetriever):\n    async def _aretrieve(self, bundle):\n        return [bundle]\nit = R()"
    ),
    "Haystack's async form": (
        "class R:\n    __haystack_supports_async__ = True\n    def run(self, query):\n        1 / 0\n"
        "    async def run_async(self, query):\n        return {'documents': [query]}\nit = R()"
    ),
    "Haystack's pipeline as a component": (
        "class Sockets:\n    query = 'str'\n"
        "class R:\n    __haystack_input__ = Sockets()\n"
        "    def run(self, **kwargs):\n        return {'documents': [kwargs['query']]}\nit = R()"
    ),
    "a member": "class S:\n    def it(self, query):\n        return [query]\nclass it:\n    best = S().it",
}


def module(folder: Path, text: str) -> str:
    name = f"systems_{next(_NUMBER)}"
    (folder / f"{name}.py").write_text(text + "\n", encoding="utf-8")
    return name


@pytest.mark.parametrize("kind", _KINDS)
def test_each_kind_of_object_is_asked_in_its_own_way(kind: str, tmp_path: Path) -> None:
    path = "it.best" if kind == "a member" else "it"
    with opened(f"python:{module(tmp_path, _KINDS[kind])}:{path}", cwd=tmp_path) as system:
        result = asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))
    assert [hit.id for hit in result.hits] == ["x"]


def test_it_is_told_the_level_and_the_collection_where_it_asks_for_them(tmp_path: Path) -> None:
    text = "def it(query, depth, level, collection):\n    return [f'{query} {depth} {level} {collection}']"
    name = module(tmp_path, text)
    write_project(tmp_path, "mine", f'uri = "python:{name}:it"\noverfetch = 3')
    with opened("mine", cwd=tmp_path) as system:
        result = asyncio.run(system.search("x", depth=5, level=Level.CHUNK, collection="c"))
    assert [hit.id for hit in result.hits] == ["x 15 chunk c"]


def test_a_batch_is_asked_once_for_each_collection_and_fails_query_by_query(tmp_path: Path) -> None:
    text = (
        "calls = []\n"
        "def it(queries, collection):\n"
        "    calls.append((tuple(queries), collection))\n"
        "    return [KeyError(q) if q == 'bad' else 7 if q == 'odd' else [q] for q in queries]"
    )
    name = module(tmp_path, text)
    with opened(f"python:{name}:it", cwd=tmp_path) as system:
        assert answers_batches(system)
        asks = [Ask("a", "x"), Ask("bad"), Ask("b", "x"), Ask("odd")]
        found = asyncio.run(system.search_batch(asks, depth=3, level=Level.DOCUMENT))
    told = [str(each) if isinstance(each, SystemFailureError) else each.hits[0].id for each in found]
    assert told[0::2] == ["a", "b"]
    assert told[1] == "KeyError: 'bad'"
    assert "an answer must be a list" in told[3]


def test_a_batch_with_a_wrong_number_of_answers_is_a_failure(tmp_path: Path) -> None:
    name = module(tmp_path, "def it(queries):\n    return []")
    with (
        opened(f"python:{name}:it", cwd=tmp_path) as system,
        pytest.raises(SystemFailureError, match="got 0"),
    ):
        asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))


def test_a_function_in_a_thread_can_be_given_up(tmp_path: Path) -> None:
    text = "import threading\nstop = threading.Event()\ndef it(query):\n    stop.wait()\n    return []"
    name = module(tmp_path, text)
    write_project(tmp_path, "slow", f'uri = "python:{name}:it"\nthreads = 1\ntimeout_s = 0.01')
    with opened("slow", cwd=tmp_path) as system:
        with pytest.raises(SystemFailureError, match=r"^no answer within 0.01 s$"):
            asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))
        __import__(name).stop.set()


def test_an_async_function_can_be_given_up(tmp_path: Path) -> None:
    text = "import asyncio\nasync def it(query):\n    await asyncio.Event().wait()"
    write_project(tmp_path, "slow", f'uri = "python:{module(tmp_path, text)}:it"\ntimeout_s = 0.01')
    with opened("slow", cwd=tmp_path) as system, pytest.raises(SystemFailureError, match="no answer within"):
        asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))


def test_threads_answer_at_the_same_time(tmp_path: Path) -> None:
    text = (
        "import threading\nboth = threading.Barrier(2)\ndef it(query):\n    both.wait()\n    return [query]"
    )
    write_project(tmp_path, "two", f'uri = "python:{module(tmp_path, text)}:it"\nthreads = 2')

    async def ask(system: SearchSystem) -> list[str]:
        asked = [system.search(query, depth=3, level=Level.DOCUMENT) for query in "ab"]
        return [result.hits[0].id for result in await asyncio.gather(*asked)]

    with opened("two", cwd=tmp_path) as system:
        assert asyncio.run(ask(system)) == ["a", "b"]


_RAISED: Final = {
    "SystemExit": "SystemExit",
    "CancelledError": "__import__('asyncio').CancelledError",
    "Own": "type('Own', (BaseException,), {})",
}
"""What an event loop would stop by."""


@pytest.mark.parametrize("name", _RAISED)
@pytest.mark.parametrize("way", ["def", "async def", "async def in time", "def in a thread"])
def test_whatever_it_raises_is_the_failure_of_its_query_only(tmp_path: Path, name: str, way: str) -> None:
    options = {"async def in time": "timeout_s = 60", "def in a thread": "threads = 1"}
    function = f"{way.partition(' in')[0]} it(query):\n    raise {_RAISED[name]}('gone')"
    write_project(tmp_path, "mine", f'uri = "python:{module(tmp_path, function)}:it"\n{options.get(way, "")}')
    with (
        opened("mine", cwd=tmp_path) as system,
        pytest.raises(SystemFailureError, match=f"^{name}: gone$"),
    ):
        asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))


def test_stop_iteration_and_generator_exit_are_failures_in_their_own_words(tmp_path: Path) -> None:
    for name in ("StopIteration", "GeneratorExit"):
        text = f"def it(query):\n    raise {name}('gone')"
        with (
            opened(f"python:{module(tmp_path, text)}:it", cwd=tmp_path) as system,
            pytest.raises(SystemFailureError, match=f"^{name}: gone$"),
        ):
            asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))


def test_an_interrupt_is_no_failure_of_the_system(tmp_path: Path) -> None:
    text = "def it(query):\n    raise KeyboardInterrupt"
    with opened(f"python:{module(tmp_path, text)}:it", cwd=tmp_path) as system:
        asked = system.search("x", depth=3, level=Level.DOCUMENT)
        with pytest.raises(KeyboardInterrupt):
            asked.send(None)


def test_a_search_that_is_cancelled_is_no_failure_of_the_system(tmp_path: Path) -> None:
    text = "import asyncio\nasync def it(query):\n    await asyncio.Event().wait()"

    async def give_up(system: SearchSystem) -> None:
        async with asyncio.timeout(0.01):
            await system.search("x", depth=3, level=Level.DOCUMENT)

    with (
        opened(f"python:{module(tmp_path, text)}:it", cwd=tmp_path) as system,
        pytest.raises(TimeoutError),
    ):
        asyncio.run(give_up(system))


@pytest.mark.parametrize(
    ("text", "path", "words"),
    [
        ("def find(query): ...", ":fnd", 'has no "fnd"; did you mean find'),
        ("import no_such_thing_at_all", ":it", "cannot be imported: No module named 'no_such_thing_at_all'"),
        ("1 / 0", ":it", "cannot be imported: ZeroDivisionError"),
        ("it = 7", ":it", "is int, which cannot be asked"),
        ("def it(): return [1]", ":it", "takes no query"),
        ("class it:\n    def __init__(self, index): ...", ":it", "cannot be called without arguments"),
        ("it = 7", "", "a Python system is python:module:callable"),
        ("def it(): raise OSError('no index')", ":it", "for what it makes, and failed: OSError: no index"),
        ("def it(): raise SystemExit('bye')", ":it", "for what it makes, and failed: SystemExit: bye"),
        ("raise SystemExit('bye')", ":it", "cannot be imported: SystemExit: bye"),
        (
            "class it:\n    def as_retriever(self): ...",
            ":it",
            r"\. Its as_retriever\(\) makes what can be asked$",
        ),
        (
            "class it:\n    __haystack_input__ = 1\n    def run(self, query_embedding): ...",
            ":it",
            "Write a function of a query that calls its run",
        ),
        ("class it:\n    def run(self, data): ...", ":it", "Write a function of a query that calls its run"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_why(text: str, path: str, words: str, tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=words),
        opened(f"python:{module(tmp_path, text)}{path}", cwd=tmp_path),
    ):
        pass


def test_a_module_that_is_not_there_says_where_it_was_looked_for(tmp_path: Path) -> None:
    words = pytest.raises(InputError, match='no module "no_such_module_here"')
    with words, opened("python:no_such_module_here:it", cwd=tmp_path):
        pass


def test_a_key_in_what_it_says_while_it_is_made_is_hidden(tmp_path: Path) -> None:
    name = module(tmp_path, f"def it(): raise OSError('no login with {KEY}')")
    with (
        pytest.raises(InputError, match=r"failed: OSError: no login with \*\*\*$"),
        opened(f"python:{name}:it", cwd=tmp_path, environ={"SEARCH_API_KEY": KEY}),
    ):
        pass


def test_a_key_that_it_repeats_among_its_texts_is_hidden_and_nothing_else(tmp_path: Path) -> None:
    text = f"def it(query):\n    return [{{'id': 'a', 'text': 'see http://ann:x@h, asked with {KEY}'}}]"
    environ = {"SEARCH_API_KEY": KEY}
    with opened(f"python:{module(tmp_path, text)}:it", cwd=tmp_path, environ=environ) as system:
        (hit,) = asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT)).hits
    assert hit.passage is not None
    assert hit.passage.text == "see http://ann:x@h, asked with ***"


def test_a_timeout_that_could_end_nothing_is_refused(tmp_path: Path) -> None:
    write_project(
        tmp_path, "mine", f'uri = "python:{module(tmp_path, _KINDS["a function"])}:it"\ntimeout_s = 1'
    )
    with pytest.raises(InputError, match="threads = 1"), opened("mine", cwd=tmp_path):
        pass


def test_an_object_with_our_own_port_is_taken_as_it_is(tmp_path: Path) -> None:
    text = (
        "from fakes.scripted_system import ScriptedSystem\n"
        "it = ScriptedSystem(answers={'x': ['a.md']}, documents=['a.md', 'b.md'])"
    )
    with opened(f"python:{module(tmp_path, text)}:it", cwd=tmp_path) as system:
        assert system.describe().stages == ("fts5",)
        catalog = system.catalog()
        assert catalog is not None
        assert [document.id for document in catalog.documents] == ["a.md", "b.md"]


def test_one_that_stores_texts_may_be_labelled_by_passages(tmp_path: Path) -> None:
    text = (
        "from fakes.scripted_system import TextScriptedSystem\n"
        "from rankle.core.text_range import Range\n"
        "it = TextScriptedSystem(texts={'d': 'one two'}, places={'c': Range('d', 0, 3)})\n"
        "plain = TextScriptedSystem.__mro__[1]()"
    )
    name = module(tmp_path, text)
    with opened(f"python:{name}:it", cwd=tmp_path) as system:
        assert isinstance(system, PassageSource)
        assert (system.text("d"), system.chunk_places()) == ("one two", {"c": Range("d", 0, 3)})
    with opened(f"python:{name}:plain", cwd=tmp_path) as system:
        assert not isinstance(system, PassageSource)


def test_one_that_does_not_know_itself_cannot_be_measured(tmp_path: Path) -> None:
    text = (
        "from fakes.scripted_system import ScriptedSystem\n"
        "class Lost(ScriptedSystem):\n"
        "    def describe(self):\n        raise RuntimeError('who am I')\n"
        "    def catalog(self):\n        raise RuntimeError('what is here')\n"
        "it = Lost()"
    )
    with opened(f"python:{module(tmp_path, text)}:it", cwd=tmp_path) as system:
        with pytest.raises(CannotMeasureError, match=r"^python:.*:it: RuntimeError: who am I$"):
            system.describe()
        with pytest.raises(CannotMeasureError, match="what is here"):
            system.catalog()


def test_of_what_it_says_500_characters_are_kept(tmp_path: Path) -> None:
    name = module(tmp_path, "def it(query):\n    raise ValueError('so much ' * 500)")
    with opened(f"python:{name}:it", cwd=tmp_path) as system, pytest.raises(SystemFailureError) as caught:
        asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))
    assert len(str(caught.value)) == 500
    assert str(caught.value).endswith("…")


@pytest.mark.parametrize("run", ["asyncio.run", "loop.run_until_complete"])
def test_one_that_runs_an_event_loop_of_its_own_is_told_to_be_called_in_a_thread(
    tmp_path: Path, run: str
) -> None:
    name = module(
        tmp_path,
        f"""
import asyncio

async def found():
    return ["a.md"]

def it(query):
    coroutine, loop = found(), asyncio.new_event_loop()
    try:
        return {run}(coroutine)
    finally:
        coroutine.close()
        loop.close()
""",
    )
    with (
        opened(f"python:{name}:it", cwd=tmp_path) as system,
        pytest.raises(SystemFailureError, match=r"called in a thread: threads = 1; or let it be async$"),
    ):
        asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))
    with opened(f"python:{name}:it?threads=1", cwd=tmp_path) as system:
        result = asyncio.run(system.search("x", depth=3, level=Level.DOCUMENT))
    assert [hit.id for hit in result.hits] == ["a.md"]


def test_what_exits_while_it_is_looked_at_cannot_be_opened(tmp_path: Path) -> None:
    name = module(
        tmp_path,
        """
class Searcher:
    @property
    def search(self):
        raise SystemExit(0)

it = Searcher()
""",
    )
    with (
        pytest.raises(InputError, match=f"^python:{name}:it cannot be opened: SystemExit: 0$"),
        opened(f"python:{name}:it", cwd=tmp_path),
    ):
        pass
