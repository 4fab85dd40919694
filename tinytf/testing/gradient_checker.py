"""Compares registered gradients with finite differences: `tf.test.compute_gradient` and `compute_gradient_error`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.default_graph import get_default_session
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.gradients.gradients_impl import gradients
from tinytf.ops.array.placeholders import identity

_TYPES = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
Jacobians = tuple[np.ndarray, np.ndarray]


@tf_export("test.compute_gradient")
def compute_gradient(
    x: Tensor | list[Tensor],
    x_shape: Any,
    y: Tensor,
    y_shape: Sequence[int],
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Operation | list[Operation] | None = None,
    extra_feed_dict: dict[Any, Any] | None = None,
) -> Jacobians | list[Jacobians]:
    """The Jacobians of `y` by `x`: from the registered gradients and from central differences. Needs a default session.

    Args:
      x: a float or complex tensor, or a list of them; it is fed, the members of a list one at a time: the others keep the
        values that the graph, or `extra_feed_dict`, gives them.
      x_shape: its shape, a list of ints; a list of shapes for a list.
      y: a tensor of the same type.
      y_shape: its shape.
      x_init_value: an array (a list of arrays) where to compute; random numbers in [0, 1) if None.
      delta: the step of the differences.
      init_targets: operations to run before.
      extra_feed_dict: more feeds.

    Returns a pair of 2-D arrays (theoretical, numeric), or a list of pairs; a row for each element of x, a column for
    each element of y. A complex number counts as two elements, its real and its imaginary part.

    Raises AssertionError for tensors of other types, for a start of another shape, and if y does not depend on x;
    ValueError if no session is the default one, or if y is empty and its gradient is not zeros of the shape of x.
    """
    several = isinstance(x, list)
    if init_targets is not None:
        for target in init_targets if isinstance(init_targets, (list, tuple)) else [init_targets]:
            target.run()
    tensors: list[Tensor] = x if isinstance(x, list) else [x]
    shapes = x_shape if several else [x_shape]
    starts = [None] * len(tensors) if x_init_value is None else x_init_value if several else [x_init_value]
    weights = constant(1.0, shape=y_shape, dtype=y.dtype)
    found = gradients(y, tensors, identity(weights))
    pairs = []
    for tensor, shape, gradient, start in zip(tensors, shapes, found, starts):
        value = _start(tensor, y, shape, start)
        assert gradient is not None, "dx = None"
        pairs.append(jacobians(tensor, value, y, gradient, weights, delta, extra_feed_dict or {}))
    return pairs if several else pairs[0]


def _start(x: Tensor, y: Tensor, shape: Any, given: Any) -> np.ndarray:
    """The value of x to begin with."""
    for name, tensor in (("x", x), ("y", y)):
        assert tensor.dtype.base_dtype in _TYPES, f"Don't support type {tensor.dtype.name} for {name}"
    dtype = x.dtype.base_dtype.as_numpy_dtype
    if given is None:
        value = np.asarray(np.random.random_sample(shape)).astype(dtype)
        if value.dtype.kind == "c":
            value.imag = np.random.random_sample(shape)
        return value
    assert list(shape) == list(np.shape(given)), f"x_shape = {shape}, init_data shape = {list(np.shape(given))}"
    return np.array(given, dtype)


def jacobians(
    x: Tensor, value: np.ndarray, y: Tensor, gradient: Any, weights: Tensor, delta: float, feeds: dict[Any, Any]
) -> Jacobians:
    """What `compute_gradient` returns for one tensor, where it is `value`: by its gradient for `weights` of y, which are fed,
    and by differences. ValueError if no session is the default one."""
    session = get_default_session()
    if session is None:
        raise ValueError("compute_gradient needs a default session: use it inside `with sess.as_default():`")
    feeds, y_shape = {**feeds, x: value}, weights.shape.as_list()
    exact = _theoretical(session, gradient, value, weights, y_shape, feeds)
    return exact, _numeric(session, y, x, value, y_shape, delta, feeds)


@tf_export("test.compute_gradient_error")
def compute_gradient_error(
    x: Tensor | list[Tensor],
    x_shape: Any,
    y: Tensor,
    y_shape: Sequence[int],
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Operation | list[Operation] | None = None,
    extra_feed_dict: dict[Any, Any] | None = None,
) -> Any:
    """The largest difference between registered gradients and central differences, as a NumPy scalar; arguments as
    `compute_gradient`. 0 where there is nothing to compare."""
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = found if isinstance(found, list) else [found]
    error: Any = 0
    for a, b in pairs:
        if a.size:
            error = np.maximum(error, np.max(np.abs(a - b)))  # lets NaN through, which no tolerance accepts
    return error


def _parts(array: np.ndarray) -> np.ndarray:
    """A flat view of the real numbers that a contiguous array consists of."""
    flat = array.reshape(-1)
    return flat.view(array.real.dtype) if array.dtype.kind == "c" else flat


def _wide(array: Any) -> np.ndarray:
    """The numbers of an array in double precision, flat."""
    return _parts(np.ascontiguousarray(array)).astype(np.float64)


def _theoretical(session: Any, gradient: Any, value: Any, weights: Tensor, y_shape: Any, feeds: Any) -> np.ndarray:
    """Column by column: the gradient for weights that are 1 for one part of y."""
    dy = np.zeros(y_shape, weights.dtype.as_numpy_dtype)
    ones = _parts(dy)
    jacobian = np.zeros((_parts(value).size, ones.size))
    for column in range(ones.size):
        ones[column] = 1
        result = session.run(gradient, {**feeds, weights: dy})
        jacobian[:, column] = _wide(_densified(result, value) if isinstance(gradient, IndexedSlices) else result)
        ones[column] = 0
    if not ones.size:
        result = session.run(gradient, {**feeds, weights: dy})
        _check_empty(_densified(result, value) if isinstance(gradient, IndexedSlices) else result, value)
    return jacobian


def _check_empty(gradient: np.ndarray, value: np.ndarray) -> None:
    """The gradient of something empty: zeros like the value."""
    if gradient.shape != value.shape:
        raise ValueError(f"Empty gradient has wrong shape: expected {value.shape}, got {gradient.shape}")
    if np.any(gradient):
        raise ValueError("Empty tensor with nonzero gradients")


def _densified(slices: Any, like: np.ndarray) -> np.ndarray:
    dense = np.zeros_like(like)
    np.add.at(dense, slices.indices, slices.values)
    return dense


def _numeric(session: Any, y: Tensor, x: Tensor, value: Any, y_shape: Any, delta: float, feeds: Any) -> np.ndarray:
    """Row by row: how y changes with one part of x, half the step up and down."""
    moved = value.copy()
    numbers = _parts(moved)
    rows = []
    for i in range(numbers.size):
        before = numbers[i].copy()
        sides = []
        for step in (delta, -delta):
            numbers[i] = before + numbers.dtype.type(step)
            sides.append(_wide(session.run(y, {**feeds, x: moved})))
            numbers[i] = before
        rows.append((sides[0] - sides[1]) / (2 * delta))
    columns = int(np.prod(y_shape)) * (2 if y.dtype.is_complex else 1)
    return np.array(rows).reshape(numbers.size, columns)
