"""A set of six queries and a system with scripted answers, whose every figure is worked out by hand.

Query   relevant        results       fate
one     a.md            a b c         a at rank 1
two     a.md b.md       c b d a       b at rank 2, a at rank 4, below the largest k, 3
three   gone.md         d             gone.md is not indexed
four    (nothing)       a             undefined
five    a.md            RuntimeError  failed
six     c.md            (nothing)     c.md is in no candidate list

Four queries are scored, one is undefined, one failed. With k = 1, 3, in the order one, two, three, six:

R@1      1  0    0  0   mean 1/4       R@3     1    1/2  0  0   mean 3/8
P@1      1  0    0  0   mean 1/4       P@3     1/3  1/3  0  0   mean 1/6
RR@3     1  1/2  0  0   mean 3/8
nDCG@1   1  0    0  0   mean 1/4       nDCG@3  1    n    0  0   mean (1 + n) / 4
Hit@1    1  0    0  0   mean 1/4       Hit@3   1    1    0  0   mean 1/2

with n = (1 / log2 3) / (1 + 1 / log2 3) = 0.386853. Judged@3 is over the same four queries: a.md
and b.md are each judged once within the first three, 1/3 + 1/3 over four: mean 1/6.
The clock gives the answered queries 1, 2, 3, 4 and 10 ms.
"""

import json
from collections.abc import Callable
from pathlib import Path

from fakes.scripted_system import ScriptedSystem
from rankle.harness.evaluation import Stamp

STAMP = Stamp(id="0123456789ab", created="2026-11-30T09:00:00Z")
RECORDS = [
    {"id": "one", "query": "the first question", "relevant": ["a.md"], "tags": ["easy"], "language": "en"},
    {"id": "two", "query": "第二の質問 [with brackets]", "relevant": ["a.md", "b.md"]},
    {"id": "three", "query": "the third question", "relevant": ["gone.md"]},
    {"id": "four", "query": "the fourth question", "relevant": []},
    {"id": "five", "query": "the fifth question", "relevant": ["a.md"]},
    {"id": "six", "query": "the sixth question", "relevant": ["c.md"]},
]


def write_set(folder: Path) -> Path:
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return path


def scripted_system() -> ScriptedSystem:
    return ScriptedSystem(
        answers={
            "the first question": ["a.md", "b.md", "c.md"],
            "第二の質問 [with brackets]": ["c.md", "b.md", "d.md", "a.md"],
            "the third question": ["d.md"],
            "the fourth question": ["a.md"],
            "the fifth question": RuntimeError("boom"),
        },
        documents=["a.md", "b.md", "c.md", "d.md"],
    )


def scripted_clock() -> Callable[[], float]:
    """Seconds; a failed query reads the clock once, an answered one twice."""
    readings = iter([0.0, 0.001, 1.0, 1.002, 2.0, 2.003, 3.0, 3.004, 4.0, 5.0, 5.010])
    return lambda: next(readings)
