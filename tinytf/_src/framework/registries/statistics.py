"""Statistics of nodes, such as floating-point operations, computed by functions registered per op and kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.framework.registries import registry

__all__ = ["OpStats", "RegisterStatistics", "get_stats_for_node_def"]

_stats_registry = registry.Registry("statistical functions")


class OpStats:
    """A statistic of some kind; `+=` adds another one of the same kind.

    Args:
      statistic_type: str, the kind, for example "flops".
      value: number; None if unknown.
    """

    def __init__(self, statistic_type: str, value: Any = None) -> None:
        self.statistic_type = statistic_type
        self.value = value

    @property
    def statistic_type(self) -> str:
        """The kind."""
        return self._statistic_type

    @statistic_type.setter
    def statistic_type(self, statistic_type: str) -> None:
        self._statistic_type = statistic_type

    @property
    def value(self) -> Any:
        """The number, or None."""
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self._value = value

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(f"Can't add an OpStat of type {self.statistic_type} to one of {other.statistic_type}.")
        if self.value is None:
            self.value = other.value
        elif other.value is not None:
            self._value += other.value
        return self


class RegisterStatistics:
    """Decorator `@RegisterStatistics("Op", "flops")` for a function `(graph, node_def)` that returns an `OpStats`.

    Args:
      op_type: str without commas, the op.
      statistic_type: str without commas, the kind.

    Raises:
      TypeError: if an argument is not a str or contains a comma.
    """

    def __init__(self, op_type: str, statistic_type: str) -> None:
        for name, text in (("op_type", op_type), ("statistic_type", statistic_type)):
            if not isinstance(text, str):
                raise TypeError(f"{name} must be a string.")
            if "," in text:
                raise TypeError(f"{name} must not contain a comma.")
        self._op_type = op_type
        self._statistic_type = statistic_type

    def __call__(self, f: Callable[[Any, Any], OpStats]) -> Callable[[Any, Any], OpStats]:
        """Registers `f`. Raises KeyError if there is a function for this op and kind already."""
        _stats_registry.register(f, f"{self._op_type},{self._statistic_type}")
        return f


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> OpStats:
    """The statistic of a node, computed by the registered function; an OpStats with value None if there is none."""
    try:
        function = _stats_registry.lookup(f"{node.op},{statistic_type}")
    except LookupError:
        return OpStats(statistic_type)
    return function(graph, node)
