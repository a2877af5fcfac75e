"""Where a test expects nothing to be told."""


def no_problem(error: Exception) -> None:
    """What is told of a problem that must not come up."""
    raise error
