"""Conditionals, loops, control dependencies and assertions."""
