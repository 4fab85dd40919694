"""`OwnedResource`: ends a resource of the engine together with a Python object."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.framework.apply.apply_op import add_op, execute_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors.errors_impl import OpError, SessionClosedError
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.values.tensor_like import is_eager_tensor


class OwnedResource:
    """Ends a resource when the last reference to this object is dropped. In a function that is being traced, this adds
    the operation that does so to the function.

    Args:
      handle, deleter: outputs of the operation that made it, such as AnonymousIteratorV2.
      op: name of the op that ends it.
    """

    __slots__ = ("_deleter", "_graph", "_op", "handle")

    def __init__(self, handle: Any, deleter: Any, op: str) -> None:
        self.handle = handle
        self._deleter = deleter
        self._op = op_spec(op)
        self._graph = None if is_eager_tensor(handle) else get_default_graph()

    def __del__(
        self,
        add: Any = add_op,
        execute: Any = execute_op,
        gone: Any = (SessionClosedError, OpError),
        enter_mode: Any = _core.enter_mode,
        enter_device: Any = _core.enter_device,
        leave: Any = _core.leave_frame,
        default_graph: Any = get_default_graph,
    ) -> None:
        # Default arguments keep these objects alive, because the module may be gone when the last object is finalized.
        if self._graph is not None:
            if default_graph() is self._graph:
                add(self._op, None, (self.handle, self._deleter), None)
            return
        mode, device = enter_mode(2), enter_device(self.handle._device_number())
        try:
            execute(self._op, None, (self.handle, self._deleter), None)
        except gone:
            pass  # the end of the session ended the resource, or its operations failed
        finally:
            leave(device)
            leave(mode)
