"""Builds the adapters from flags, environment, project file and defaults; nothing else reads the environment.

One subject a file, imported by its own name: every start of the command line needs some of them.
"""
