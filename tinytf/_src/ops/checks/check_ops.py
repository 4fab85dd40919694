"""Assertions about tensors, checked immediately if the values are known, otherwise when the graph runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.tensors.eager_tensor import EagerTensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.array.shape_ops import rank as rank_of
from tinytf._src.ops.array.shape_ops import reshape, shape, size
from tinytf._src.ops.array.slicing import strided_slice
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.dependencies import no_op, with_dependencies
from tinytf._src.ops.math.reductions import reduce_all


def _assert_static(condition: Any, data: list[Any]) -> None:
    if not condition:
        lines = [d if isinstance(d, str) else str(constant_value(d) if isinstance(d, Tensor) else d) for d in data]
        raise errors_impl.InvalidArgumentError(None, None, "\n".join(lines))


def _binary_assert(
    sign: str,
    op_name: str,
    dynamic: Callable[..., Any],
    static: Callable[..., Any],
    x: Any,
    y: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    with name_scope(name, op_name, [x, y, data]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        if executing_eagerly():
            holds = dynamic(x, y)
            if not reduce_all(holds):
                from tinytf._src.ops.logging import eager_checks

                eager_checks.fail_comparison(sign, x, y, holds, data, summarize, message)
            return None  # type: ignore[return-value]
        if data is None:
            data = [f"Condition x {sign} y did not hold element-wise:", f"x ({x.name}) = ", x, f"y ({y.name}) = ", y]
        if message is not None:
            data = [message, *data]
        condition = reduce_all(dynamic(x, y))
        x_value, y_value = constant_value(x), constant_value(y)
        if x_value is not None and y_value is not None:
            _assert_static(np.all(static(x_value, y_value)), data)
        return Assert(condition, data, summarize=summarize)


@tf_export("debugging.assert_equal", "assert_equal")
@called_by_users
def assert_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x == y` holds elementwise after broadcasting.

    Args:
      x, y: tensors of one dtype.
      data: list of tensors to print on failure; defaults to both operands with a sentence.
      summarize: int, number of elements to print per tensor.
      message: prefix of the error text.

    Returns:
      An operation that fails with InvalidArgumentError if the condition is false; None in eager execution, where the
      error is raised immediately, as in graphs if the values are known.
    """
    with name_scope(name, "assert_equal", [x, y, data]):
        if x is y:
            return no_op()
    return _binary_assert("==", "assert_equal", gen_ops.equal, np.equal, x, y, data, summarize, message, name)


@tf_export("debugging.assert_none_equal", "assert_none_equal")
@called_by_users
def assert_none_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x != y` holds elementwise; used like `assert_equal`."""
    return _binary_assert(
        "!=", "assert_none_equal", gen_ops.not_equal, np.not_equal, x, y, data, summarize, message, name
    )


@tf_export("debugging.assert_less", "assert_less")
@called_by_users
def assert_less(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x < y` holds elementwise; used like `assert_equal`."""
    return _binary_assert("<", "assert_less", gen_ops.less, np.less, x, y, data, summarize, message, name)


@tf_export("debugging.assert_less_equal", "assert_less_equal")
@called_by_users
def assert_less_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x <= y` holds elementwise; used like `assert_equal`."""
    return _binary_assert(
        "<=", "assert_less_equal", gen_ops.less_equal, np.less_equal, x, y, data, summarize, message, name
    )


@tf_export("debugging.assert_greater", "assert_greater")
@called_by_users
def assert_greater(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x > y` holds elementwise; used like `assert_equal`."""
    return _binary_assert(">", "assert_greater", gen_ops.greater, np.greater, x, y, data, summarize, message, name)


@tf_export("debugging.assert_greater_equal", "assert_greater_equal")
@called_by_users
def assert_greater_equal(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x >= y` holds elementwise; used like `assert_equal`."""
    return _binary_assert(
        ">=", "assert_greater_equal", gen_ops.greater_equal, np.greater_equal, x, y, data, summarize, message, name
    )


@tf_export("debugging.assert_near", "assert_near")
def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts `|x - y| < atol + rtol * |y|`, like `assert_equal`; tolerances default to 10 epsilons of the dtype."""
    from tinytf._src.ops.math.arithmetic import abs

    with name_scope(name, "assert_near", [x, y, rtol, atol, data]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype)
        epsilon = 10 * float(np.finfo(x.dtype.real_dtype.as_numpy_dtype).eps)
        rtol = convert_to_tensor(epsilon if rtol is None else rtol, name="rtol", dtype=x.dtype.real_dtype)
        atol = convert_to_tensor(epsilon if atol is None else atol, name="atol", dtype=x.dtype.real_dtype)
        if data is None:
            text = f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}"
            data = [message or "", text, f"x ({_label(x)}) = ", x, f"y ({_label(y)}) = ", y]
        tolerance = atol + rtol * abs(y)
        condition = reduce_all(gen_ops.less(abs(x - y), tolerance))
        return Assert(condition, data, summarize=summarize)


def _sign_assert(
    sign: str,
    op_name: str,
    what: Callable[..., Operation],
    x: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    """Applies the assertion `what` to zero and `x`, in the order of the condition."""
    message = message or ""
    with name_scope(name, op_name, [x, data]):
        x = convert_to_tensor(x, name="x")
        if data is None:
            parts = [f"Condition x {sign} 0 did not hold element-wise:", f"x ({_label(x)}) = "]
            data = [message, *(["".join(parts)] if sign == "<=" else parts), x]  # TensorFlow's list lacks a comma.
        zero = convert_to_tensor(0, dtype=x.dtype.base_dtype)
        pair = (zero, x) if sign in (">", ">=") else (x, zero)
        return what(*pair, data=data, summarize=summarize)


@tf_export("debugging.assert_positive", "assert_positive")
@called_by_users
def assert_positive(
    x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Operation:
    """Asserts that `x > 0` holds elementwise; used like `assert_equal`."""
    return _sign_assert(">", "assert_positive", assert_less, x, data, summarize, message, name)


@tf_export("debugging.assert_negative", "assert_negative")
@called_by_users
def assert_negative(
    x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Operation:
    """Asserts that `x < 0` holds elementwise; used like `assert_equal`."""
    return _sign_assert("<", "assert_negative", assert_less, x, data, summarize, message, name)


@tf_export("debugging.assert_non_negative", "assert_non_negative")
@called_by_users
def assert_non_negative(
    x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Operation:
    """Asserts that `x >= 0` holds elementwise; used like `assert_equal`."""
    return _sign_assert(">=", "assert_non_negative", assert_less_equal, x, data, summarize, message, name)


@tf_export("debugging.assert_non_positive", "assert_non_positive")
@called_by_users
def assert_non_positive(
    x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Operation:
    """Asserts that `x <= 0` holds elementwise; used like `assert_equal`."""
    return _sign_assert("<=", "assert_non_positive", assert_less_equal, x, data, summarize, message, name)


def _label(x: Any) -> str:
    """Returns the name of a tensor for an error text; shape and dtype for an eager tensor."""
    return f"shape={x.shape} dtype={x.dtype.name}" if isinstance(x, EagerTensor) else x.name


def _rank_label(x: Any) -> str:
    return "" if isinstance(x, (SparseTensor, EagerTensor)) else x.name


def _rank_assert(
    x: Any,
    wanted: Any,
    static_fits: Callable[[int, int], bool],
    dynamic_fits: Callable[..., Any],
    relation: str,
    op_name: str,
    data: Any,
    summarize: int | None,
    message: str | None,
    name: str | None,
) -> Operation:
    with name_scope(name, op_name, [x, wanted, *(data or [])]):
        if not isinstance(x, SparseTensor):
            x = convert_to_tensor(x, name="x")
        wanted = convert_to_tensor(wanted, name="rank")
        message = message or ""
        if data is None:
            data = [message, f"Tensor {_rank_label(x)} must have rank{relation}", wanted, "Received shape: ", shape(x)]
        assert_type(wanted, dtypes.int32)
        value, known = constant_value(wanted), x.shape.ndims
        if value is not None:
            if np.ndim(value) != 0:
                raise ValueError("Rank must be a scalar.")
            if known is not None:
                if not static_fits(known, int(value)):
                    raise ValueError(
                        f"{message}.  Tensor {_rank_label(x)} must have rank{relation} {int(value)}.  Received rank "
                        f"{known}, shape {x.shape}"
                    )
                return no_op(name="static_checks_determined_all_ok")
        condition = dynamic_fits(rank_of(x), wanted)
        if value is None:
            check = assert_rank(wanted, 0, data=["Rank must be a scalar. Received rank: ", wanted])
            condition = with_dependencies([check], condition)
        return Assert(condition, data, summarize=summarize)


@tf_export("debugging.assert_rank", "assert_rank")
@called_by_users
def assert_rank(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x` has the given rank, an int32 scalar. Raises ValueError if both are known and differ."""
    return _rank_assert(x, rank, lambda a, b: a == b, gen_ops.equal, "", "assert_rank", data, summarize, message, name)


@tf_export("debugging.assert_rank_at_least", "assert_rank_at_least")
@called_by_users
def assert_rank_at_least(
    x: Any,
    rank: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x` has at least the given rank, an int32 scalar. Raises ValueError if known ranks violate it."""
    return _rank_assert(
        x,
        rank,
        lambda a, b: a >= b,
        gen_ops.greater_equal,
        " at least",
        "assert_rank_at_least",
        data,
        summarize,
        message,
        name,
    )


@tf_export("debugging.assert_rank_in", "assert_rank_in")
@called_by_users
def assert_rank_in(
    x: Any,
    ranks: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """Asserts that `x` has one of the given ranks, int32 scalars. Raises ValueError if known ranks violate it."""
    with name_scope(name, "assert_rank_in", [x, *ranks, *(data or [])]):
        if not isinstance(x, SparseTensor):
            x = convert_to_tensor(x, name="x")
        tensors = [convert_to_tensor(r, name="rank") for r in ranks]
        message = message or ""
        if data is None:
            data = [message, f"Tensor {_rank_label(x)} must have rank in", *tensors, "Received shape: ", shape(x)]
        for tensor in tensors:
            assert_type(tensor, dtypes.int32)
        values = [constant_value(r) for r in tensors]
        known = x.shape.ndims
        if known is not None and all(v is not None for v in values):
            allowed = tuple(v if isinstance(v, np.ndarray) else int(v) for v in values)
            if known not in allowed:
                raise ValueError(
                    f"{message}.  Tensor {_rank_label(x)} must have rank in {allowed}.  Received rank {known}, shape "
                    f"{x.shape}"
                )
            return no_op(name="static_checks_determined_all_ok")
        actual = rank_of(x)
        fits = [gen_ops.equal(r, actual) for r in tensors]
        condition = fits[0]
        for fit in fits[1:]:
            condition = gen_ops.logical_or(condition, fit)
        for tensor, value in zip(tensors, values, strict=True):
            if value is None:
                check = assert_rank(tensor, 0, data=["Rank must be a scalar. Received rank: ", tensor])
                condition = with_dependencies([check], condition)
        return Assert(condition, data, summarize=summarize)


@tf_export("debugging.assert_scalar", "assert_scalar")
def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Tensor:
    """Returns `tensor` as a tensor. Raises ValueError unless its static rank is 0."""
    with name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name=scope)
        if tensor.shape.ndims != 0:
            which = "" if executing_eagerly() else f" for {tensor.name}"
            raise ValueError(f"{message or ''}Expected scalar shape{which}, saw shape: {tensor.shape}.")
        return tensor


@tf_export("debugging.assert_integer", "assert_integer")
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Returns a no-op. Raises TypeError unless `x` has an integer dtype."""
    with name_scope(name, "assert_integer", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(f'{message or ""}  Expected "x" to be integer type.  Found: {x.dtype}')
        return no_op("statically_determined_was_integer")


@tf_export("debugging.assert_type", "assert_type")
@called_by_users
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Returns a no-op. Raises TypeError unless `tensor` has the dtype `tf_type`."""
    with name_scope(name, "assert_type", [tensor]):
        if not isinstance(tensor, SparseTensor):
            tensor = convert_to_tensor(tensor, name="tensor")
        wanted = dtypes.as_dtype(tf_type)
        if tensor.dtype != wanted:
            if executing_eagerly():
                raise TypeError(f"{message or ''} tensor must be of type {wanted}")
            raise TypeError(f"{message or ''}  {getattr(tensor, 'name', 'tensor')} must be of type {wanted}")
        return no_op("statically_determined_correct_type")


@tf_export("debugging.assert_same_float_dtype", "assert_same_float_dtype")
@called_by_users
def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> dtypes.DType:
    """Returns the floating-point dtype of all tensors and `dtype`, or float32. Raises ValueError if dtypes differ."""
    expected = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    for tensor in tensors or ():
        if tensor is None:
            continue
        own = tensor.dtype.base_dtype
        if expected is not None and own is not expected:
            raise ValueError(f"Tensor {tensor!s} must be of type {expected.name}, but is {own.name}.")
        expected = own
    expected = expected or dtypes.float32
    if not expected.is_floating:
        raise ValueError(f"Expected floating point type, got {expected.name}.")
    return expected


@tf_export("debugging.assert_proper_iterable", "assert_proper_iterable")
@called_by_users
def assert_proper_iterable(values: Any) -> None:
    """Raises TypeError unless `values` is iterable and neither a tensor, an array nor a string; variables pass."""
    if isinstance(values, (Tensor, SparseTensor, np.ndarray, str, bytes)):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@tf_export("debugging.is_numeric_tensor", "is_numeric_tensor")
def is_numeric_tensor(tensor: Any) -> bool:
    """Returns whether `tensor` is a tensor of a floating-point, integer or complex dtype."""
    if not isinstance(tensor, Tensor):
        return False
    dtype = tensor.dtype.base_dtype
    return dtype.is_floating or dtype.is_integer or dtype.is_complex


@tf_export("ensure_shape")
@called_by_users
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """Returns `x` with the static shape `shape`; a mismatch raises InvalidArgumentError at run time."""
    return gen_ops.ensure_shape(x, as_shape(shape), name=name)


def _differences(x: Any) -> Tensor:
    """Returns the differences of neighbors in the flattened tensor. Raises TypeError unless it is numeric."""
    x = reshape(x, [-1])
    if not is_numeric_tensor(x):
        raise TypeError(f"Expected x to be numeric, instead found: {x}")
    is_short = gen_ops.less(size(x), 2)
    count = shape(x) - 1
    return cond(
        is_short,
        lambda: convert_to_tensor([], dtype=x.dtype),
        lambda: strided_slice(x, [1], [1] + count) - strided_slice(x, [0], count),
    )


@tf_export("debugging.is_non_decreasing", "math.is_non_decreasing", "is_non_decreasing")
def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Returns a bool scalar: whether no element of the flattened tensor is less than its predecessor."""
    with name_scope(name, "is_non_decreasing", [x]):
        differences = _differences(x)
        return reduce_all(gen_ops.less_equal(convert_to_tensor(0, dtype=differences.dtype), differences))


@tf_export("debugging.is_strictly_increasing", "math.is_strictly_increasing", "is_strictly_increasing")
def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Returns a bool scalar: whether each element of the flattened tensor is greater than its predecessor."""
    with name_scope(name, "is_strictly_increasing", [x]):
        differences = _differences(x)
        return reduce_all(gen_ops.less(convert_to_tensor(0, dtype=differences.dtype), differences))
