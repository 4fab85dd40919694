"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
FUNCTIONS: dict[str, str]
FAMILIES: dict[str, str]
