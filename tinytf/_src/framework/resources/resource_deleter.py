"""`ResourceDeleter`: destroys the resource of an eager object, such as a variable or queue, together with the
object."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.framework.apply.apply_op import execute_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors.errors_impl import OpError, SessionClosedError

_DESTROY = op_spec("DestroyResourceOp")


class ResourceDeleter:
    """Destroys the resource behind an eager handle when the last reference to this object is dropped, even if tapes
    still hold the handle."""

    __slots__ = ("_handle",)

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def __del__(
        self,
        execute: Any = execute_op,
        op: Any = _DESTROY,
        gone: Any = (SessionClosedError, OpError),
        enter_mode: Any = _core.enter_mode,
        enter_device: Any = _core.enter_device,
        leave: Any = _core.leave_frame,
    ) -> None:
        # Default arguments keep these objects alive, because the module may be gone when the last object is finalized.
        # Finalizers run anywhere: also while a graph is being built, or another device or session is in use.
        mode, device = enter_mode(2), enter_device(self._handle._device_number())
        try:
            execute(op, None, (self._handle,), None)
        except gone:
            # The end of the handle's session frees the resource: a session whose operations failed runs nothing, and
            # another session, in which the finalizer happens to run, may lack the device.
            pass
        finally:
            leave(device)
            leave(mode)
