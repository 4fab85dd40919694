"""The device scopes that were open where a graph or a variable scope was entered last: in there, `init_scope` knows of them
behind a scope of `colocate_with`, which hides them from other operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tinytf.framework.context_variable import ContextVariable

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph

# The innermost entry: (the list of open scopes, which changes with them, whether a function is traced, the entry around).
_Entry = tuple[list[Any], bool, Any]
_innermost = ContextVariable["_Entry | None"]("tinytf_entered_devices", None)


innermost_devices = _innermost.get  # what `leave_devices` takes where nothing is entered


def enter_devices(graph: Graph) -> _Entry | None:
    """Notes that `graph`, or a scope of it, is entered; returns what `leave_devices` is to restore."""
    around = _innermost.get()
    devices, traced = graph._devices.open, graph.building_function
    if around is None or around[0] is not devices or around[1] != traced:
        _innermost.set((devices, traced, around))
    return around


def leave_devices(around: _Entry | None) -> None:
    """What was entered is left."""
    if _innermost.get() is not around:
        _innermost.set(around)


def lifted_devices_of(graph: Graph) -> list[Any]:
    """The device scopes for what is lifted from `graph`, the default one, out of functions and control flow: those that are
    open there, else those of the entry, and around functions of the entries outside of them."""
    devices, entry = graph._devices.open, _innermost.get()
    while entry is not None and not devices:
        devices, traced, around = entry
        entry = around if traced else None
    return devices
