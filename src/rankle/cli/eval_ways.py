"""What `rankle eval` says to somebody who names no set: how to get one."""

from typing import Final

WAYS: Final = """\
name a set, queries with judgments: rankle eval queries.jsonl

No judgments yet? Three ways to get some, once `rankle index` has run:

  rate      search, and rate what you find from 1 to 5
      rankle rate
      rankle eval generate-from-ratings
      rankle eval eval.jsonl
  label     write down queries, and judge what several methods find for them
      echo '{"query": "how do I reset it", "relevant": []}' > queries.jsonl
      rankle eval label queries.jsonl
      rankle eval queries.jsonl
  generate  have questions made of the documents; at once, but weak
      rankle eval generate
      rankle eval generated.jsonl
      rankle eval label generated.jsonl

Results of another system, with judgments: rankle score --help"""
"""Its commands are run by a test, in this order."""
