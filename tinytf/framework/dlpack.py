"""Tensors that share memory with arrays of other libraries, by DLPack."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf.exports import tf_export
from tinytf.framework import dtypes, errors_impl
from tinytf.framework.constant_op import constant_from_array
from tinytf.framework.eager_tensor import EagerTensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.tensor import Tensor

_CPU = 1  # the number of that kind of device


@tf_export("experimental.dlpack.from_dlpack", "from_dlpack")
@called_by_users
def from_dlpack(dlcapsule: Any) -> Tensor:
    """A tensor of the values in a DLPack capsule, or in an array that makes one (of NumPy, PyTorch, JAX, …).

    Args:
      dlcapsule: a capsule named "dltensor" or "dltensor_versioned", which is used up, or an object with `__dlpack__`.

    Where operations are executed the tensor shares the memory, whose owner stays until no value needs it: its owner should
    not write to it any more. Memory that is not contiguous, or not aligned, is copied. Where graphs are built, a constant
    with a copy.

    Raises TypeError for other objects, InvalidArgumentError for capsules that were used before, that hold no tensor in the
    CPU's memory, a type that tensors lack, or sizes that cannot be; what the producer raises if it makes no capsule.
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
    except TypeError:  # of producers before version 1
        return make()


@tf_export("experimental.dlpack.to_dlpack")
@called_by_users
def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule, named "dltensor", of an eager tensor's value: of a copy, as its taker may write to it.

    TypeError for other things than eager tensors, BufferError for types that DLPack lacks. `np.from_dlpack(tensor)`, and
    what other libraries have like it, share the memory.
    """
    if not isinstance(tf_tensor, EagerTensor):
        raise TypeError(f"The argument to `to_dlpack` must be a TF tensor with a value, not {type(tf_tensor)}")
    return tf_tensor.__dlpack__()
