"""The commands of `rankle eval` beside the evaluation itself."""

from typing import Final

from rankle.cli.groups import LazyCommand

COMMANDS: Final = {
    "check": LazyCommand(
        "rankle.cli.eval_check:check", "Check the labels of a set against what is indexed now."
    ),
    "add": LazyCommand("rankle.cli.eval_add:add", "Add a query with what should be found to a set."),
    "label": LazyCommand("rankle.cli.eval_label:label", "Judge what several methods find, one key each."),
    "pool": LazyCommand(
        "rankle.cli.eval_pool:pool", "List what is still to be judged, what tells most first."
    ),
    "floor": LazyCommand(
        "rankle.cli.eval_floor:floor", "Choose the score up to which nothing counts as found."
    ),
    "generate": LazyCommand(
        "rankle.cli.eval_generate:generate", "Make questions of the documents themselves; weak."
    ),
    "generate-from-ratings": LazyCommand(
        "rankle.cli.eval_from_ratings:generate_from_ratings", "Make a set of what people rated."
    ),
}
"""Sets of these names are written with a folder: `./check`."""
