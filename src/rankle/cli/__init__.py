"""The command line: one command a file, each parses, calls one use case, renders and exits."""
