"""`EagerScope`: frees the values that were made in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf.framework.errors_impl import SessionClosedError

if TYPE_CHECKING:
    from tinytf.eager.session import EagerSession


class EagerScope:
    """Frees the values of its members when it is closed, whoever still refers to them.

    Tensors made in the Python context that entered it, while it is the innermost one, become members; `attach` adds
    others. A member that was retained survives being detached; membership alone keeps nothing alive. Use it in a `with`
    statement, or `close` it. Everything but `retain` of a closed scope raises SessionClosedError, also a second close.
    """

    def __init__(self, session: EagerSession) -> None:
        self._session = session
        self._core = _core.TensorScope(session._core)
        self._closed = False
        self._frames: list[Any] = []  # of the contexts that entered it

    def _check_open(self) -> None:
        if self._closed:
            raise SessionClosedError("The scope has been closed")

    def attach(self, tensor: Any) -> None:
        """Makes the tensor a member; nothing changes if it is one."""
        self._check_open()
        self._core.attach(tensor)

    def retain(self, tensor: Any) -> None:
        """The tensor is to survive its detachment. Nothing happens if it is no member."""
        self._check_open()
        self._core.retain(tensor)

    def detach(self, tensor: Any) -> None:
        """Ends the membership: the tensor's value is freed at once, unless it was retained. Nothing happens if it is no
        member."""
        self._check_open()
        if self._core.remove(tensor) == "owned":
            tensor.close()

    def __len__(self) -> int:
        """Members that are alive."""
        return self._core.size()

    def close(self) -> None:
        """Frees the values of all members."""
        self._check_open()
        self._closed = True
        self._core.close()
        while self._frames:
            _core.leave_frame(self._frames.pop())
        for tensor in self._core.take():
            tensor.close()

    def __enter__(self) -> EagerScope:
        self._check_open()
        self._frames.append(self._core.enter())
        return self

    def __exit__(self, *exc: Any) -> None:
        if not self._closed:
            self.close()
