"""`EagerScope`: frees the tensors that were made in it."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.eager.session_use import UsedSession
from tinytf._src.framework.errors.errors_impl import SessionClosedError


class EagerScope:
    """Frees its members' values when it is closed, even if they are still referenced.

    Tensors made in the Python context that entered it, while it is the innermost scope, become members; `attach` adds
    others. A detached member's value is freed, unless `retain` was called for it. Membership does not keep a tensor
    alive. Use the scope in a `with` statement, or `close` it. Methods of a closed scope raise SessionClosedError,
    `close` included.
    """

    def __init__(self, session: UsedSession) -> None:
        self._session = session
        self._core = _core.TensorScope(session._core)
        self._closed = False
        self._frames: list[Any] = []  # frames of the contexts that entered it

    def _check_open(self) -> None:
        if self._closed:
            raise SessionClosedError("The scope has been closed")

    def attach(self, tensor: Any) -> None:
        """Makes the tensor a member. Idempotent."""
        self._check_open()
        self._core.attach(tensor)

    def retain(self, tensor: Any) -> None:
        """Marks a member, so that its value survives `detach`. Does nothing for a tensor that is not a member."""
        self._check_open()
        self._core.retain(tensor)

    def detach(self, tensor: Any) -> None:
        """Ends the membership of a tensor; frees its value unless it was retained. Does nothing for a tensor that is
        not a member."""
        self._check_open()
        if self._core.remove(tensor) == "owned":
            tensor.close()

    def __len__(self) -> int:
        """Returns the number of live members."""
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
