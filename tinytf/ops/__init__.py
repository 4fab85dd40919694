"""What makes operations, by family as in `csrc/ops`; here are lists over families, and what all of them need."""
