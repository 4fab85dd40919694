"""`tf.test.compute_gradient` and `compute_gradient_error` compare registered gradients with finite differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.default_graph import get_default_session
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.ops.array.placeholders import identity

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
    """Computes the Jacobian of `y` with respect to `x` twice: from registered gradients and from central differences.

    Runs in the default session.

    Args:
      x: a float or complex tensor, or a list of them. It is fed. Tensors of a list are varied one at a time; the others
        keep the values that the graph or `extra_feed_dict` gives them.
      x_shape: list of ints, the shape of `x`; a list of shapes if `x` is a list.
      y: a float or complex tensor.
      y_shape: list of ints, the shape of `y`.
      x_init_value: array of shape `x_shape` (or a list of arrays), the point at which the Jacobians are computed;
        random numbers in [0, 1) if None.
      delta: float, `y` is evaluated at `x + delta` and `x - delta`.
      init_targets: an operation, or a list of them, to run first.
      extra_feed_dict: dict of further feeds.

    Returns:
      A pair (theoretical, numeric) of 2-D arrays with a row for each element of `x` and a column for each element of
      `y`; a list of pairs if `x` is a list. A complex number counts as two elements: its real part and its imaginary
      part.

    Raises:
      AssertionError: if a dtype is not supported, if `x_init_value` has a wrong shape, or if `y` does not depend on
        `x`.
      ValueError: if there is no default session, or if `y` is empty and its gradient is not zeros of the shape of `x`.

    Example:
        with tf.Session():
          x = tf.placeholder(tf.float32, [3])
          theoretical, numeric = tf.test.compute_gradient(x, [3], tf.square(x), [3])
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
    """Returns the point at which the Jacobians are computed, as an array of the dtype of `x`."""
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
    """Returns the two Jacobians of `compute_gradient` for one tensor `x` at `value`.

    `gradient` is the gradient of `y` weighted by `weights`, which are fed. Raises ValueError if there is no default
    session.
    """
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
    """Returns the largest absolute difference between registered gradients and central differences.

    Takes the arguments and raises the exceptions of `compute_gradient`.

    Returns:
      A NumPy scalar; 0 if the Jacobians have no elements, NaN if one of them has NaN.
    """
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = found if isinstance(found, list) else [found]
    error: Any = 0
    for a, b in pairs:
        if a.size:
            error = np.maximum(error, np.max(np.abs(a - b)))  # propagates NaN, which no tolerance accepts
    return error


def _parts(array: np.ndarray) -> np.ndarray:
    """Returns a flat view of a contiguous array as real numbers; a complex number becomes two."""
    flat = array.reshape(-1)
    return flat.view(array.real.dtype) if array.dtype.kind == "c" else flat


def _wide(array: Any) -> np.ndarray:
    """Returns the numbers of an array as a flat float64 array."""
    return _parts(np.ascontiguousarray(array)).astype(np.float64)


def _theoretical(session: Any, gradient: Any, value: Any, weights: Tensor, y_shape: Any, feeds: Any) -> np.ndarray:
    """Computes the Jacobian column by column: the gradient for weights that are 1 for one element of `y` and 0
    elsewhere."""
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
    """Checks that the gradient of an empty tensor is zeros of the shape of `value`; raises ValueError otherwise."""
    if gradient.shape != value.shape:
        raise ValueError(f"Empty gradient has wrong shape: expected {value.shape}, got {gradient.shape}")
    if np.any(gradient):
        raise ValueError("Empty tensor with nonzero gradients")


def _densified(slices: Any, like: np.ndarray) -> np.ndarray:
    dense = np.zeros_like(like)
    np.add.at(dense, slices.indices, slices.values)
    return dense


def _numeric(session: Any, y: Tensor, x: Tensor, value: Any, y_shape: Any, delta: float, feeds: Any) -> np.ndarray:
    """Computes the Jacobian row by row by central differences: `delta` is added to and subtracted from one element of
    `x`."""
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
