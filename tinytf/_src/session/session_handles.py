"""Handles to tensors that a session stores between runs."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.values import dtypes
from tinytf._src.session.engine import HasEngine


class TensorHandle:
    """A tensor that is stored in a session: the result of fetching `tf.get_session_handle(t)`. Feed it in place of a
    tensor.

    The session drops the tensor when the handle is deleted or garbage collected, unless `get_raw_handle` was called.
    """

    def __init__(self, handle: Any, dtype: dtypes.DType, session: HasEngine) -> None:
        self._handle = handle.decode() if isinstance(handle, bytes) else str(handle)
        self._dtype = dtype
        self._session = session
        self._owns_tensor = True

    def __del__(self) -> None:
        if getattr(self, "_owns_tensor", False):
            self._session._engine.drop_stored(self._handle)

    def __str__(self) -> str:
        return self._handle

    @property
    def handle(self) -> str:
        """The handle as a string: `{operation};{number};{device}`."""
        return self._handle

    def eval(self) -> Any:
        """Returns the tensor's value as `Session.run` would.

        Raises:
          TypeError: after `delete` or `get_raw_handle`.
        """
        self._check_owned()
        return self._value()

    def delete(self) -> None:
        """Drops the tensor from its session.

        Raises:
          TypeError: after `delete` or `get_raw_handle`.
        """
        self._check_owned()
        self._owns_tensor = False
        self._session._engine.drop_stored(self._handle)

    def get_raw_handle(self) -> str:
        """Returns the handle as a string, and gives up ownership: only `tf.delete_session_tensor` or closing the
        session drops the tensor then."""
        self._owns_tensor = False
        return self._handle

    def _check_owned(self) -> None:
        if not self._owns_tensor:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")

    def _value(self) -> Any:
        return self._session._engine.stored(self._handle)
