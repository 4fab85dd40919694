"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
PLACES: dict[str, str]
