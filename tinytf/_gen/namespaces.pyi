"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
NAMESPACES: dict[str, str]
