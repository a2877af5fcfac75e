"""The use cases, one a file. `wiring` builds the adapters and alone reads the environment."""
