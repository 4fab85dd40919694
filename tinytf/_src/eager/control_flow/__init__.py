"""Functional control flow: If, Case and While nodes whose branches, conditions and bodies are functions."""
