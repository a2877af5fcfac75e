"""The knowledge base: parse, chunk, store, search. Does not know that it is measured."""
