"""Indexing of tensors by `tensor[...]`, `slice` and `strided_slice`."""

from __future__ import annotations

import builtins
import sys
from functools import partial
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.eager_tensor import set_assign
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.ops.array.constant_tensors import ones_like
from tinytf._src.ops.array.gathering import boolean_mask
from tinytf._src.ops.array.joining import stack

__all__ = ["newaxis", "slice", "strided_slice"]

newaxis = None
tf_export("newaxis").constant(__name__, "newaxis")

_Slice = builtins.slice
_INDEX_TYPES = (dtypes.int32, dtypes.int64)
_NOT_AN_INDEX = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid "
    "indices"
)


@tf_export("slice")
def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """Extracts a block of a tensor.

    Args:
      input_: tensor.
      begin: int32 or int64 vector, the first index of each dimension.
      size: vector of that dtype, the shape of the block; -1 means up to the end.
      name: optional name of the operation.

    Returns:
      A tensor of shape `size`.
    """
    try:
        return gen_ops.slice(input_, begin, size, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("strided_slice")
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """Extracts a strided block of a tensor; `tensor[...]` builds this op.

    Bit i of a mask applies to the i-th entry of `begin`, `end` and `strides`.

    Args:
      input_: tensor.
      begin: int32 or int64 vector, the first indices.
      end: vector of that dtype, the exclusive end indices.
      strides: optional vector of that dtype; defaults to ones.
      begin_mask: int; a set bit means that `begin[i]` is ignored.
      end_mask: int; a set bit means that `end[i]` is ignored.
      ellipsis_mask: int; a set bit means that the entry stands for all remaining dimensions.
      new_axis_mask: int; a set bit means that the entry inserts a dimension of size 1.
      shrink_axis_mask: int; a set bit means that the entry selects one index and removes the dimension.
      var: optional variable that is sliced.
      name: optional name of the operation.

    Returns:
      A tensor. If `var` is given it has a method `assign(value, name=None)` that assigns to the slice of the variable.
    """
    try:
        if strides is None:
            strides = ones_like(begin)
        masks = {
            "begin_mask": begin_mask,
            "end_mask": end_mask,
            "ellipsis_mask": ellipsis_mask,
            "new_axis_mask": new_axis_mask,
            "shrink_axis_mask": shrink_axis_mask,
        }
        result = gen_ops.strided_slice(input_, begin, end, strides, **masks, name=name)
        if is_graph_tensor(result):
            result.assign = partial(_assign, var, name, {"begin": begin, "end": end, "strides": strides, **masks})
        elif var is not None:
            set_assign(result, partial(_assign, var, name, {"begin": begin, "end": end, "strides": strides, **masks}))
        return result
    except REPORTED:
        leave_to_user()
        raise


def _assign(var: Any, parent_name: str | None, where: dict[str, Any], val: Any, name: str | None = None) -> Any:
    if var is None:
        raise ValueError("Sliced assignment is only supported for variables")
    if name is None:
        name = (parent_name or "strided_slice") + "_assign"
    return var._strided_slice_assign(**where, value=val, name=name)


def _check_index(index: Any) -> None:
    if isinstance(index, (int, Dimension)):
        return
    dtype = getattr(index, "dtype", None)
    wrong = dtype is None or dtypes.as_dtype(dtype).base_dtype not in _INDEX_TYPES
    if wrong or (index.shape and len(index.shape) == 1):
        raise TypeError(f"{_NOT_AN_INDEX}, got {index!r}")


def slice_helper(tensor: Any, slice_spec: Any, var: Any = None) -> Tensor:
    """Implements `tensor[slice_spec]` for ints, slices, `...`, None, scalar integer tensors and boolean masks.

    Raises TypeError for other indices. `var` is the variable that is sliced, if any.
    """
    if _is_mask(slice_spec):
        return boolean_mask(tensor, slice_spec)
    if not isinstance(slice_spec, (list, tuple)):
        slice_spec = [slice_spec]
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
    for position, index in enumerate(slice_spec):
        bit = 1 << position
        start: Any = 0
        stop: Any = 0
        step: Any = 1
        if isinstance(index, _Slice):
            if index.start is None:
                masks["begin_mask"] |= bit
            else:
                _check_index(index.start)
                start = index.start
            if index.stop is None or (isinstance(index.stop, int) and index.stop == sys.maxsize):
                masks["end_mask"] |= bit
            else:
                _check_index(index.stop)
                stop = index.stop
            if index.step is not None:
                _check_index(index.step)
                step = index.step
        elif index is Ellipsis:
            masks["ellipsis_mask"] |= bit
        elif index is newaxis:
            masks["new_axis_mask"] |= bit
        else:
            _check_index(index)
            start, stop = index, index + 1
            masks["shrink_axis_mask"] |= bit
        begin.append(start)
        end.append(stop)
        strides.append(step)
    with name_scope(None, "strided_slice", [tensor, *begin, *end, *strides]) as scope:
        if begin:
            bounds = [stack(begin), stack(end), stack(strides)]
            if any(bound.dtype is dtypes.int64 for bound in bounds):
                bounds = [b if b.dtype is dtypes.int64 else gen_ops.cast(b, dtypes.int64) for b in bounds]
        else:
            bounds = [constant([], dtype=dtypes.int32)] * 3
        start, stop, step = bounds
        return strided_slice(tensor, start, stop, step, **masks, var=var, name=scope)


def slice_helper_var(var: Any, slice_spec: Any) -> Tensor:
    """Implements `variable[slice_spec]`; the result has a method `assign`."""
    return slice_helper(var.value(), slice_spec, var)


def _is_mask(index: Any) -> bool:
    if isinstance(index, bool):
        return True
    if isinstance(index, Tensor):
        return index.dtype.base_dtype is dtypes.bool
    return isinstance(index, np.ndarray) and index.dtype == np.bool_
