"""`ResourceDeleter`: ends what an object of eager execution stands for, a variable or a queue, when the object goes."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf.framework.apply_op import execute_op
from tinytf.framework.errors_impl import OpError, SessionClosedError
from tinytf.framework.op_spec import op_spec

_DESTROY = op_spec("DestroyResourceOp")


class ResourceDeleter:
    """Destroys the resource behind an eager handle when the last reference to this object goes, even if tapes still hold
    the handle."""

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
        # The arguments are bound here because the module may be gone by the time the last object goes. That may be
        # anywhere, as garbage is collected anywhere: while a graph is being built, or another device or session is used.
        mode, device = enter_mode(2), enter_device(self._handle._device_number())
        try:
            execute(op, None, (self._handle,), None)
        except gone:
            # Its session's end freed it or will: nothing runs in one whose operations failed, and another session, in
            # which the object happened to go, may lack the device.
            pass
        finally:
            leave(device)
            leave(mode)
