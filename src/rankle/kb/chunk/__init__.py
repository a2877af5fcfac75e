"""Documents to chunks: contiguous spans of the stored text. One chunker a file."""

from rankle.kb.chunk.catalog import CHUNKERS, DEFAULT_CHUNKER, parse_chunker
from rankle.kb.chunk.span import Chunker
from rankle.kb.chunk_span import ChunkSpan

__all__ = ["CHUNKERS", "DEFAULT_CHUNKER", "ChunkSpan", "Chunker", "parse_chunker"]
