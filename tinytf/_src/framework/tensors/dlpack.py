"""Exchange of tensors with other libraries by DLPack, without copies where possible."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant_from_array
from tinytf._src.framework.tensors.eager_tensor import EagerTensor
from tinytf._src.framework.values import dtypes

_CPU = 1  # DLPack's device type number


@tf_export("experimental.dlpack.from_dlpack", "from_dlpack")
@called_by_users
def from_dlpack(dlcapsule: Any) -> Tensor:
    """Creates a tensor from a DLPack capsule or from an array of another library (NumPy, PyTorch, JAX, …).

    In eager mode the tensor shares the memory, which its producer should no longer modify, and keeps the owner alive.
    Memory that is not contiguous or not aligned is copied. In graph mode the result is a constant with a copy.

    Args:
      dlcapsule: capsule named "dltensor" or "dltensor_versioned", which is consumed, or an object with `__dlpack__`.

    Returns:
      Tensor.

    Raises:
      TypeError: for other objects.
      InvalidArgumentError: for a capsule that was consumed before or is not in CPU memory, and for unsupported types or
        invalid sizes.
    """
    array = _core.dlpack_to_array(_capsule(dlcapsule))
    dtype = dtypes.as_dtype(array.dtype)
    if executing_eagerly():
        return _core.eager_constant(array, dtype.as_datatype_enum, True)
    return constant_from_array(array.copy(), dtype, "Const")


def _capsule(value: Any) -> Any:
    make = getattr(value, "__dlpack__", None)
    if make is None:
        if type(value).__name__ != "PyCapsule":
            raise TypeError(f"from_dlpack takes a DLPack capsule or an object with __dlpack__, not {type(value)}")
        return value
    device = getattr(value, "__dlpack_device__", lambda: (_CPU, 0))()
    if device[0] != _CPU:
        raise errors_impl.InvalidArgumentError(
            None, None, f"DLPack tensor is not in the CPU's memory, but on a device of type {int(device[0])}"
        )
    try:
        return make(max_version=(1, 0))
    except TypeError:  # producers before DLPack version 1
        return make()


@tf_export("experimental.dlpack.to_dlpack")
@called_by_users
def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule with a copy of an eager tensor's value; a copy, because the consumer may modify it.

    `np.from_dlpack(tensor)` and the like in other libraries share the memory instead.

    Args:
      tf_tensor: EagerTensor.

    Returns:
      Capsule named "dltensor".

    Raises:
      TypeError: if `tf_tensor` is not an EagerTensor.
      BufferError: for element types that DLPack lacks.
    """
    if not isinstance(tf_tensor, EagerTensor):
        raise TypeError(f"The argument to `to_dlpack` must be a TF tensor with a value, not {type(tf_tensor)}")
    return tf_tensor.__dlpack__()
