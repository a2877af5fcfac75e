"""The use cases, one a file; `wiring` builds the adapters and is the only place that reads the environment."""
