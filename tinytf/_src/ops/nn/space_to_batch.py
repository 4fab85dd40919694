"""Space-to-batch transformations, which implement the dilation rates of convolutions and pooling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.joining import concat, stack
from tinytf._src.ops.array.shape_ops import shape


@tf_export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Computes the paddings that make spatial dimensions multiples of a block, and the crops that undo the additional
    padding.

    Args:
      input_shape: int32 vector [n].
      block_shape: int32 vector [n].
      base_paddings: optional int32 matrix [n, 2] of paddings that are required in any case.
      name: optional name of the name scope.

    Returns:
      A pair of int32 matrices [n, 2]: paddings and crops.

    Raises:
      ValueError: if n is unknown, or if shapes do not match.
    """
    with name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        input_shape = convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        block_shape = convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        block_shape.shape.assert_is_fully_defined()
        block_shape.shape.assert_has_rank(1)
        count = block_shape.shape.as_list()[0]
        if count == 0:
            return zeros([0, 2], dtypes.int32), zeros([0, 2], dtypes.int32)
        input_shape.shape.assert_is_compatible_with([count])
        if base_paddings is not None:
            base_paddings = convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base_paddings.shape.assert_is_compatible_with([count, 2])
        else:
            base_paddings = zeros([count, 2], dtypes.int32)
        known = [constant_value(t) for t in (block_shape, input_shape, base_paddings)]
        if all(value is not None for value in known):
            block_shape, input_shape, base_paddings = known
        starts, ends = base_paddings[:, 0], base_paddings[:, 1]
        padded = input_shape + starts + ends
        extra = (block_shape - padded % block_shape) % block_shape
        ends = ends + extra
        paddings = stack([[starts[i], ends[i]] for i in range(count)], name="paddings")
        crops = stack([[0, extra[i]] for i in range(count)], name="crops")
        return paddings, crops


def steps_and_rates(count: int, strides: Any, rates: Any) -> tuple[list[int], list[int]]:
    """Returns strides and dilation rates as one int per spatial dimension. Raises ValueError if they are invalid or
    exclude each other.
    """
    values = []
    for name, given in (("dilation_rate", rates), ("strides", strides)):
        value = [1] * count if given is None else [int(n) for n in given]
        if len(value) != count:
            raise ValueError(f"len({name})={len(value)} but should be {count}")
        if any(n < 1 for n in value):
            raise ValueError(f"all values of {name} must be positive")
        values.append(value)
    rates, steps = values
    if any(n > 1 for n in steps) and any(n > 1 for n in rates):
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    return steps, rates


def spatial_dims_of(count: int, data_format: str | None) -> list[int]:
    first = 2 if data_format is not None and data_format.startswith("NC") else 1
    return list(range(first, first + count))


def _base_paddings(filter_shape: Any, rates: np.ndarray) -> Any:
    """Returns the paddings of "SAME" for a filter that reads every `rates[i]`-th pixel."""
    extents = filter_shape[: len(rates)]
    total = extents + (extents - 1) * (rates - 1) - 1
    starts = total // 2
    ends = total - starts
    return stack([[starts[i], ends[i]] for i in range(len(rates))])


def _with_channels(values: Any, fill: int, spatial_dims: list[int]) -> Any:
    """Extends `values`, rows for the spatial dimensions, to rows for dimensions 1 to the last spatial one."""
    known = constant_value(values)
    parts = [(values if known is None else known)[0 : len(spatial_dims)]]
    if spatial_dims[0] > 1:
        parts.insert(0, np.full([spatial_dims[0] - 1, *parts[0].shape[1:]], fill, np.int32))
    return concat(parts, 0) if known is None else np.concatenate(parts)


def with_space_to_batch(
    input: Tensor,
    filter_shape: Any,
    rates: list[int],
    padding: str,
    spatial_dims: list[int],
    op: Callable[[Tensor, str], Tensor],
    filter: Any = None,
) -> Tensor:
    """Applies `op(input, padding)` with dilation `rates`. Raises ValueError if the padding is unknown.

    `filter_shape` is a list, a fully defined TensorShape, or the shape tensor of `filter`, which need not be constant.
    """
    input_shape = as_shape(input.shape)
    rate = convert_to_tensor(rates, dtypes.int32, name="dilation_rate")
    if all(r == 1 for r in rates):
        return op(input, padding)
    if padding == "SAME":
        known = constant_value(convert_to_tensor(filter_shape, name="filter_shape"))
        base: Any = None if known is None else _base_paddings(known, np.array(rates, np.int32))
    elif padding == "VALID":
        base = np.zeros([len(rates), 2], np.int32)
    else:
        raise ValueError(f"Invalid padding method {padding!r}")
    sizes: Any = None if input_shape.ndims is None else [input_shape.as_list()[i] for i in spatial_dims]
    if sizes is None or None in sizes:
        extents = shape(input)
        sizes = stack([extents[i] for i in spatial_dims])
    if base is None:
        base = _base_paddings(shape(filter), np.array(rates, np.int32))
    paddings, crops = required_space_to_batch_paddings(sizes, rate, base)
    block = _with_channels(np.array(rates, np.int32), 1, spatial_dims)
    paddings = _with_channels(paddings, 0, spatial_dims)
    crops = _with_channels(crops, 0, spatial_dims)
    blocks = op(gen_ops.space_to_batch_nd(input, block, paddings), "VALID")
    return gen_ops.batch_to_space_nd(blocks, block, crops)
