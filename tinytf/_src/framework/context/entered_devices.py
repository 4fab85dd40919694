"""Records the device scopes that are open when a graph or variable scope is entered, so that `init_scope` can restore
them inside a `colocate_with` scope, which hides them from other operations."""

from __future__ import annotations

from typing import Any, Protocol

from tinytf._src.framework.context.context_variable import ContextVariable


class GraphInScope(Protocol):
    """A graph, as far as its scopes of devices are concerned."""

    @property
    def _devices(self) -> Any:
        """Its `GraphDevices`."""

    @property
    def building_function(self) -> bool:
        """Whether it is the graph of a function that is being traced."""


# An entry: (the list of open device scopes, which changes with them; whether a function is being traced; enclosing
# entry).
_Entry = tuple[list[Any], bool, Any]
_innermost = ContextVariable["_Entry | None"]("tinytf_entered_devices", None)


innermost_devices = _innermost.get  # its result is the argument of `leave_devices` that restores the current state


def enter_devices(graph: GraphInScope) -> _Entry | None:
    """Records that `graph`, or a scope in it, is entered; returns the state that `leave_devices` restores."""
    around = _innermost.get()
    devices, traced = graph._devices.open, graph.building_function
    if around is None or around[0] is not devices or around[1] != traced:
        _innermost.set((devices, traced, around))
    return around


def leave_devices(around: _Entry | None) -> None:
    """Restores the state before the matching `enter_devices`."""
    if _innermost.get() is not around:
        _innermost.set(around)


def lifted_devices_of(graph: GraphInScope) -> list[Any]:
    """The device scopes for operations that are lifted out of functions and control flow from `graph`, the default
    graph: the open scopes, else the scopes of the innermost entry. While an entry is empty and belongs to a traced
    function, the entry around it counts."""
    devices, entry = graph._devices.open, _innermost.get()
    while entry is not None and not devices:
        devices, traced, around = entry
        entry = around if traced else None
    return devices
