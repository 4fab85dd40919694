"""Branches and loops whose parts are functions: nodes If, Case and While, which functions are built with."""
