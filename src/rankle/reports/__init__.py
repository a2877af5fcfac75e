"""Records of runs, shown: each report only formats what the record holds, and computes no figure."""
