"""Python functions that create operations, grouped by family as in `csrc/ops`; this level has the public lists and
shared helpers.
"""
