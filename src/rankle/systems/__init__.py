"""Adapters from anything that searches to the one port."""
