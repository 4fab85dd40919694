"""The stacks of default graphs and default sessions."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.context import execution
from tinytf._src.framework.context.context_stack import DefaultStack
from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.framework.context.entered_devices import enter_devices, leave_devices


class _GraphStack(DefaultStack):
    """A stack whose entries also switch to graph mode: operations build graphs while a graph is entered, even if the
    process executes eagerly by default."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._modes = ContextVariable[tuple[Any, ...]](f"{name}_modes", ())

    def push(self, default: Any) -> int:
        self._modes.set((*self._modes.get(), (execution.enter_graph_mode(), enter_devices(default))))
        return super().push(default)

    def pop(self, default: Any) -> None:
        super().pop(default)
        self._leave_modes()

    def leave(self, default: Any, place: int) -> None:
        try:
            super().leave(default, place)
        finally:
            self._leave_modes()

    def remove(self, default: Any) -> None:
        super().remove(default)
        self._leave_modes()

    def reset(self) -> None:
        super().reset()
        self._leave_modes()

    def _leave_modes(self) -> None:
        """Leaves the modes of entries that were removed."""
        modes, entries = self._modes.get(), len(self._get())
        for mode, devices in reversed(modes[entries:]):
            execution.leave_mode(mode)
            leave_devices(devices)
        self._modes.set(modes[:entries])


default_graphs = _GraphStack("tinytf_default_graphs")
default_sessions = DefaultStack("tinytf_default_sessions")
