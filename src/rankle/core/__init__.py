"""Frozen types, ids, ports, errors, canonical JSON and fingerprints. Touches no file, network or clock."""
