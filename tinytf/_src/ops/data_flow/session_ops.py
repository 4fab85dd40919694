"""Tensors that are kept in a session between runs: storing, reading and deleting them by handle."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.placeholders import placeholder


@tf_export("get_session_handle")
@called_by_users
def get_session_handle(data: Any, name: str | None = None) -> Tensor:
    """Creates a string tensor; when it is fetched, the session keeps `data` and the fetch is a `TensorHandle`.

    Args:
      data: tensor to keep.
      name: optional name of the operation.

    Returns:
      A string scalar.

    Raises:
      TypeError: if `data` is not a Tensor.
      RuntimeError: in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError(
            "tf.get_session_handle is not supported when eager execution is enabled: there is no session."
        )
    if not isinstance(data, Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with get_default_graph().colocate_with(data.op):
        return gen_ops.get_session_handle(data, name=name)


@tf_export("get_session_tensor")
@called_by_users
def get_session_tensor(handle: Any, dtype: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Creates the tensor that a session keeps under a handle.

    Args:
      handle: str or `TensorHandle`; its device is where the tensor is looked up.
      dtype: dtype of the tensor.
      name: optional name of the operation.

    Returns:
      A pair: a string placeholder for the handle, and the tensor.
    """
    with get_default_graph().device(_device_of(handle)):
        holder = placeholder(dtypes.string)
        return holder, gen_ops.get_session_tensor(holder, dtype, name=name)


@tf_export("delete_session_tensor")
@called_by_users
def delete_session_tensor(handle: Any, name: str | None = None) -> tuple[Tensor, Any]:
    """Creates an operation that deletes the tensor that a session keeps under a handle.

    Args:
      handle: str or `TensorHandle`; its device is where the tensor is looked up.
      name: optional name of the operation.

    Returns:
      A pair: a string placeholder for the handle, and the operation.
    """
    with get_default_graph().device(_device_of(handle)):
        holder = placeholder(dtypes.string)
        return holder, gen_ops.delete_session_tensor(holder, name=name)


def _device_of(handle: Any) -> str:
    text = handle.decode() if isinstance(handle, bytes) else str(handle)
    return text.rpartition(";")[2]
