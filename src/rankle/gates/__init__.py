"""From records and rules to a verdict: passed, broken, or could not measure."""
