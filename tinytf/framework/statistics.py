"""What nodes take, such as floating-point operations, told by functions that are registered by op and kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.framework import registry

__all__ = ["OpStats", "RegisterStatistics", "get_stats_for_node_def"]

_stats_registry = registry.Registry("statistical functions")


class OpStats:
    """A number of some kind, or None if it is not known. Others of its kind can be added.

    Args:
      statistic_type: the kind, for example "flops".
      value: the number.
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
    """`@RegisterStatistics("Op", "flops")` registers a function of a graph and a NodeDef that returns an `OpStats`.

    Args:
      op_type: the op, a string without commas. TypeError else.
      statistic_type: the kind of number, a string without commas. TypeError else.
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
        """Registers `f`. KeyError if there is a function for the op and the kind."""
        _stats_registry.register(f, f"{self._op_type},{self._statistic_type}")
        return f


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> OpStats:
    """The number of a kind for a node of a graph, as the registered function tells it; its value is None without one."""
    try:
        function = _stats_registry.lookup(f"{node.op},{statistic_type}")
    except LookupError:
        return OpStats(statistic_type)
    return function(graph, node)
