"""`tf.gradients`: symbolic derivatives as graph operations."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor, internal_convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_eager_tensor
from tinytf._src.gradients.captured import stand_in_of
from tinytf._src.gradients.unconnected import UnconnectedGradients, zero_gradients
from tinytf._src.gradients.walk import Walk, beside
from tinytf._src.ops import array_ops


@tf_export("gradients")
@called_by_users
def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """Adds operations that compute the derivatives of the sum of `ys` with respect to each of `xs`.

    Args:
      ys: Tensor or list of Tensors.
      xs: Tensor, variable, or list of them.
      grad_ys: list of initial gradients, one per y and of its shape; None, or a None item, means ones.
      name: str, name scope of the new operations.
      colocate_gradients_with_ops: bool, whether gradient operations are placed on the device of the forward operations.
      gate_gradients: bool, whether all input gradients of an operation are computed before any of them is used.
      aggregation_method: a `tf.AggregationMethod` for summing the gradients of a tensor; None means the default.
      stop_gradients: Tensor or list of Tensors that are treated as constants.
      unconnected_gradients: `tf.UnconnectedGradients` or its value: "none" returns None, "zero" zeros for an x that no
        y depends on.

    Returns:
      List with a Tensor, IndexedSlices or None for each x.

    Raises:
      LookupError: if an operation on the way has no gradient function.
      ValueError: for arguments with invalid values, such as lists of different lengths.
      TypeError: for element types without gradients, or complex `ys` without `grad_ys`.
      RuntimeError: in eager mode.

    Example:
      x = tf.constant(3.0)
      y = x * x
      dy_dx, = tf.gradients(y, x)
    """
    if executing_eagerly():
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    ys = _as_list(ys)
    stop_list = _as_list(stop_gradients if stop_gradients is not None else [])
    grad_list = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}") from None
    xs, result = _differentiated(
        ys,
        _as_list(xs),
        stop_list,
        grad_list,
        name,
        colocate_gradients_with_ops,
        gate_gradients,
        aggregation_method,
        check_types=True,
    )
    if unconnected is UnconnectedGradients.ZERO:
        result = [zero_gradients(x) if g is None else g for g, x in zip(result, xs, strict=True)]
    return result


def gradients_for_tape(ys: list[Any], xs: list[Any], grad_ys: list[Any], stop: list[Tensor]) -> list[Any]:
    """Like `gradients`, for ys of any type but strings, and for initial gradients of any type; None means ones, also for
    bools and complex numbers."""
    return _differentiated(ys, xs, stop, grad_ys, "gradients", False, False, None, check_types=False)[1]


def _differentiated(
    ys: list[Any],
    xs: list[Any],
    stop: list[Any],
    grad_ys: list[Any],
    name: str,
    colocate: bool,
    gate: bool,
    aggregation_method: int | None,
    check_types: bool,
) -> tuple[list[Tensor], list[Any]]:
    """Returns the xs as tensors, and their gradients."""
    xs = [
        x.handle if hasattr(x, "handle") and x.handle is not None and x.dtype is not dtypes.resource else x for x in xs
    ]
    with name_scope(name, "gradients", [*ys, *xs, *stop, *(g for g in grad_ys if g is not None)]):
        get_default_graph().unique_name("uid")  # only reserved, as in TensorFlow
        ys = [stand_in_of(y) if is_eager_tensor(y) else convert_to_tensor(y, name=f"y_{i}") for i, y in enumerate(ys)]
        # A variable is represented by its reference, which collects the gradients of all its reads.
        xs = [
            stand_in_of(x) if is_eager_tensor(x) else internal_convert_to_tensor(x, name=f"x_{i}", as_ref=True)
            for i, x in enumerate(xs)
        ]
        initial = _initial_gradients(grad_ys, ys, colocate, check_types)
        walk = Walk(ys, xs, stop, colocate, gate, aggregation_method)
        walk.run(initial)
    walk.finish()
    return xs, [walk.gradient_of(x) for x in xs]


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _initial_gradients(grad_ys: list[Any], ys: list[Tensor], colocate: bool, check_types: bool) -> list[Any]:
    if len(grad_ys) != len(ys):
        raise ValueError(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    grad_ys = [
        grad if grad is None or isinstance(grad, IndexedSlices) else convert_to_tensor(grad, name=f"grad_y_{i}")
        for i, grad in enumerate(grad_ys)
    ]
    result: list[Any] = []
    for i, (grad, y) in enumerate(zip(grad_ys, ys, strict=True)):
        with beside(y.op, colocate):
            if grad is None:
                if y.dtype.is_complex and check_types:
                    raise TypeError(f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})")
                shape = array_ops.shape(y)
                one = True if y.dtype.base_dtype is dtypes.bool and not check_types else 1
                ones = constant(one, dtype=y.dtype.base_dtype, name=f"grad_ys_{i}")
                result.append(array_ops.fill(shape, ones))
                continue
            if check_types:
                _check_gradient_type(grad.dtype, y)
            if isinstance(grad, IndexedSlices):
                shape = grad.dense_shape
                result.append(
                    IndexedSlices(
                        gen_ops.identity(grad.values, name=f"grad_ys_{i}_values"),
                        gen_ops.identity(grad.indices, name=f"grad_ys_{i}_indices"),
                        None if shape is None else gen_ops.identity(shape, name=f"grad_ys_{i}_shape"),
                    )
                )
            else:
                result.append(gen_ops.identity(grad, name=f"grad_ys_{i}"))
    return result


def _check_gradient_type(grad: dtypes.DType, y: Tensor) -> None:
    if y.dtype.is_floating or y.dtype.is_integer:
        if not grad.is_floating and not grad.is_integer:
            raise TypeError(
                f"Gradient type {grad.name} generated for real or integer-valued tensor {y} with type {y.dtype.name} must be "
                "real or integer"
            )
    elif y.dtype.is_complex:
        if not grad.is_complex:
            raise TypeError(
                f"Gradient type {grad.name} generated for complex-valued tensor {y} with type {y.dtype.name} must be real"
            )
    elif y.dtype == dtypes.variant:
        if grad != dtypes.variant:
            raise TypeError(
                f"Gradient type {grad.name} generated for variant tensor {y} with type {y.dtype.name} must be variant"
            )
    elif y.dtype == dtypes.resource:
        if grad == dtypes.resource:
            raise TypeError(f"Input gradient {grad.name} for resource tensor {y} should not be a resource")
    else:
        raise TypeError(f"Tensor {y} with type {y.dtype.name} must be numeric to obtain a default gradient")
