"""Targets of judgments: how their names join what a system holds, and at which level they are scored."""
