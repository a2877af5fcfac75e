"""Fakes that implement the ports, for the tests of everything above them."""
