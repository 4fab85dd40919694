"""`Recording`: a core tape together with the variables read and the graph operations added while it records."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.eager.graph_tape import GraphTape
from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.resources.variable_watch import watchers
from tinytf._src.framework.values.tensor_like import is_eager_tensor

_active: ContextVariable[tuple[Recording, ...]] = ContextVariable("recordings", ())


def active_recordings() -> tuple[Recording, ...]:
    """Returns the recordings that were started in the calling context and not stopped."""
    return _active.get()


class Recording:
    """The recording of a GradientTape. It records the Python context that starts it, until it is stopped; it may be
    restarted."""

    __slots__ = ("tape", "graph", "is_kept", "_frames", "_watches_accessed", "_variables", "_callback", "__weakref__")

    def __init__(self, watch_accessed_variables: bool, is_kept: bool = False) -> None:
        self.tape = _core.Tape()
        self.is_kept = is_kept  # true for persistent tapes, which may be differentiated while they record
        self.graph = GraphTape()
        self._frames: list[Any] = []
        self._watches_accessed = watch_accessed_variables
        self._variables: dict[Any, Any] = {}  # by handle
        self._callback = self._note_access  # one object, so that `stop` finds it

    def start(self) -> None:
        """Begins to record the calling context."""
        self._frames.append(self.tape.push())
        _active.set((*_active.get(), self))
        self.graph.start()
        if self._watches_accessed:
            watchers.add(self._callback)

    def stop(self) -> None:
        """Ends the recording."""
        self.tape.pop(self._frames.pop())
        active = _active.get()
        if active and active[-1] is self:
            _active.set(active[:-1])
        elif self in active:  # else it was started in another context
            first = active.index(self)
            _active.set(active[:first] + active[first + 1 :])
        self.graph.stop()
        if self._watches_accessed:
            watchers.remove(self._callback)

    def _note_access(self, variable: Any) -> None:
        if variable.trainable:
            self.watch_variable(variable)

    def watch_variable(self, variable: Any) -> None:
        """Watches a variable and adds it to `variables`."""
        handle = variable.handle
        if handle not in self._variables:
            self._variables[handle] = variable
            self.watch(handle)

    def watch(self, tensor: Any) -> None:
        """Watches an eager or graph tensor."""
        if is_eager_tensor(tensor):
            self.tape.watch(tensor)
            if executing_eagerly():
                return
        self.graph.watch(tensor)

    def variables(self) -> tuple[Any, ...]:
        """Returns the watched variables in the order of their creation."""
        return tuple(self._variables[handle] for handle in sorted(self._variables, key=_age))


def _age(handle: Any) -> int:
    return handle._id if is_eager_tensor(handle) else handle._key
