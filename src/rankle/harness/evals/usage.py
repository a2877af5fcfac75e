"""What was spent on models, added up."""

from rankle.core.trials import Usage


def added_usage(first: Usage | None, second: Usage | None) -> Usage | None:
    """Both together; a cost is known where either tells one."""
    if first is None or second is None:
        return first or second
    costs = [one.cost_usd for one in (first, second) if one.cost_usd is not None]
    return Usage(
        input_tokens=first.input_tokens + second.input_tokens,
        output_tokens=first.output_tokens + second.output_tokens,
        cost_usd=sum(costs) if costs else None,
        n_calls=first.n_calls + second.n_calls,
        n_cached=first.n_cached + second.n_cached,
    )
