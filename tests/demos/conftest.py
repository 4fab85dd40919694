"""No test of this folder makes a plan that leaves the compiled way."""

from ways import compiled_way

__all__ = ["compiled_way"]
