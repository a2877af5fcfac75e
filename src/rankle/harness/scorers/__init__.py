"""The scorers that come with the product, one subject a file."""
