"""Checks that all plans of this folder's tests stay compiled."""

from ways import compiled_way

__all__ = ["compiled_way"]
