"""Cross-entropy losses of logits and labels."""

from __future__ import annotations

import math
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.constant_tensors import ones_like, zeros_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import rank, reshape, shape
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.checks.check_ops import assert_equal
from tinytf._src.ops.math.arithmetic import abs
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of


def _check_named(name: str, sentinel: Any, labels: Any, logits: Any) -> None:
    if sentinel is not None:
        raise ValueError(f"Only call `{name}` with named arguments (labels=..., logits=..., ...)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def _check_same_shape(logits: Tensor, labels: Tensor, names: str = "logits and labels") -> None:
    try:
        labels.shape.merge_with(logits.shape)
    except ValueError:
        raise ValueError(f"{names} must have the same shape ({logits.shape} vs {labels.shape})") from None


@tf_export("nn.softmax_cross_entropy_with_logits")
@called_by_users
def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Tensor:
    """Does the same as `softmax_cross_entropy_with_logits_v2`, but no gradient flows into `labels`.

    Args:
      _sentinel: must not be given; it prevents positional arguments.
      labels, logits, name: as in `softmax_cross_entropy_with_logits_v2`.
      dim: int, the axis of the classes; defaults to the last one.
      axis: must be None: TensorFlow 1.15 takes `dim`, which has a default, for given.

    Returns:
      A tensor of the shape of `logits` without `axis`.

    Raises:
      ValueError: if an argument is missing, positional, or if `axis` is given.
    """
    dim = renamed("axis", axis, "dim", dim)
    _check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as scope:
        labels = gen_ops.stop_gradient(labels, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=dim, name=scope)


@tf_export("nn.softmax_cross_entropy_with_logits_v2")
@called_by_users
def softmax_cross_entropy_with_logits_v2(
    labels: Any = None, logits: Any = None, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """Computes `-sum(labels * log_softmax(logits))` along an axis.

    Args:
      labels: tensor of probabilities of the shape of `logits`.
      logits: floating-point tensor.
      axis: optional int, axis of the classes; defaults to the last axis.
      name: optional name of the operation.
      dim: deprecated name of `axis`.

    Returns:
      A tensor of the shape of `logits` without `axis`.

    Raises:
      ValueError: if `labels` or `logits` is missing, or if the axis is given under both names.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        axis = -1
    _check_named("softmax_cross_entropy_with_logits", None, labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        narrow = logits.dtype in (dtypes.float16, dtypes.bfloat16)
        precise = cast(logits, dtypes.float32) if narrow else logits
        labels = cast(labels, precise.dtype)
        static = logits.shape
        count = static.ndims if executing_eagerly() else rank(precise)
        if axis != -1:
            precise = _move_to_end(precise, axis, count)
            labels = _move_to_end(labels, axis, count)
        if executing_eagerly():
            cost = _matrix_cost(precise, labels, scope)
            return cast(cost, logits.dtype) if narrow else cost
        input_shape = shape(precise)
        cost = gen_ops.softmax_cross_entropy_with_logits(
            _flatten_outer_dims(precise), _flatten_outer_dims(labels), name=scope
        )[0]
        cost = reshape(cost, gen_ops.slice(input_shape, [0], [gen_ops.sub(count, 1)]))
        if static.ndims is not None:
            extents = static.as_list()
            del extents[axis]
            cost.set_shape(extents)
        return cast(cost, logits.dtype) if narrow else cost


def _matrix_cost(logits: Tensor, labels: Tensor, name: str) -> Tensor:
    """Computes the cost of eager tensors, which are reshaped only if they are not matrices."""
    outer = (logits._shape_tuple() or ())[:-1]
    if len(outer) == 1 and labels._rank() == 2:
        return gen_ops.softmax_cross_entropy_with_logits(logits, labels, name=name)[0]
    cost = gen_ops.softmax_cross_entropy_with_logits(_as_matrix(logits), _as_matrix(labels), name=name)[0]
    return reshape(cost, outer)


def _as_matrix(tensor: Tensor) -> Tensor:
    extents: Any = tensor._shape_tuple()
    return reshape(tensor, [math.prod(extents[:-1]), extents[-1]])


def _move_to_end(tensor: Tensor, axis: int, count: Tensor) -> Tensor:
    perm = concat([range_of(axis), range_of(axis + 1, count), [axis]], 0)
    return transpose(tensor, perm)


def _flatten_outer_dims(tensor: Tensor) -> Tensor:
    """Reshapes a tensor to a matrix that keeps the last dimension."""
    count = rank(tensor)
    last = gen_ops.slice(shape(tensor), [gen_ops.sub(count, 1)], [1])
    matrix = reshape(tensor, concat([[-1], last], 0))
    static = tensor.shape
    if static.ndims is not None and static[:-1].is_fully_defined():
        matrix.set_shape([math.prod(static.as_list()[:-1]), static.as_list()[-1]])
    return matrix


@tf_export("nn.sparse_softmax_cross_entropy_with_logits")
@called_by_users
def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """Computes `-log_softmax(logits)[..., label]`; a label out of range raises InvalidArgumentError at run time.

    Args:
      _sentinel: must not be given; it prevents positional arguments.
      labels: int32 or int64 tensor of class indices, of the shape of `logits` without the last dimension.
      logits: floating-point tensor.
      name: optional name of the operation.

    Returns:
      A tensor of the shape of `labels` and the dtype of `logits`.

    Raises:
      ValueError: if an argument is missing or positional, or if shapes do not match.
    """
    _check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels = convert_to_tensor(labels)
        logits = convert_to_tensor(logits)
        narrow = logits.dtype is dtypes.float16
        precise = cast(logits, dtypes.float32) if narrow else logits
        labels_static, logits_static = labels.shape, logits.shape
        labels_shape = shape(labels)
        defined = (
            labels_static.is_fully_defined()
            and logits_static.ndims is not None
            and logits_static[:-1].is_fully_defined()
        )
        if logits_static.ndims == 0:
            raise ValueError(f"Logits cannot be scalars - received shape {logits_static}.")
        if None not in (logits_static.ndims, labels_static.ndims) and labels_static.ndims != logits_static.ndims - 1:
            raise ValueError(
                f"Rank mismatch: Rank of labels (received {labels_static.ndims}) should equal rank of logits minus 1 "
                f"(received {logits_static.ndims})."
            )
        if defined and labels_static != logits_static[:-1]:
            raise ValueError(
                f"Shape mismatch: The shape of labels (received {labels_static}) should equal the shape of logits "
                f"except for the last dimension (received {logits_static})."
            )
        if logits_static.ndims == 2:
            cost = gen_ops.sparse_softmax_cross_entropy_with_logits(precise, labels, name=name)[0]
            return cast(cost, dtypes.float16) if narrow else cost
        checks = []
        if not defined:
            checks.append(assert_equal(shape(labels), shape(logits)[:-1]))
        with control_dependencies(checks):
            classes = shape(logits)[rank(logits) - 1]
            precise = reshape(precise, [-1, classes])
            labels = reshape(labels, [-1])
            cost = gen_ops.sparse_softmax_cross_entropy_with_logits(precise, labels, name=name)[0]
            cost = reshape(cost, labels_shape)
            cost.set_shape(labels_static)
            return cast(cost, dtypes.float16) if narrow else cost


@tf_export("nn.sigmoid_cross_entropy_with_logits")
@called_by_users
def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """Computes `-labels * log(sigmoid(x)) - (1 - labels) * log(1 - sigmoid(x))` elementwise without overflow.

    Args:
      _sentinel: must not be given; it prevents positional arguments.
      labels: tensor of probabilities.
      logits: tensor of the same shape and dtype.
      name: optional name of the operation.

    Returns:
      A tensor like `logits`.

    Raises:
      ValueError: if an argument is missing or positional, or if shapes differ.
    """
    _check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _check_same_shape(logits, labels)
        zeros = zeros_like(logits, dtype=logits.dtype)
        positive = logits >= zeros
        relu_logits = where(positive, logits, zeros)
        minus_abs = where(positive, -logits, logits)
        linear = relu_logits - logits * labels
        return gen_ops.add(linear, gen_ops.log1p(gen_ops.exp(minus_abs)), name=scope)


@tf_export("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, pos_weight: Any = None, name: str | None = None, targets: Any = None
) -> Tensor:
    """Computes `sigmoid_cross_entropy_with_logits` with the term of positive labels multiplied by `pos_weight`.

    Args:
      labels, logits, name: as in `sigmoid_cross_entropy_with_logits`.
      pos_weight: scalar or tensor that broadcasts to `logits`.
      targets: deprecated name of `labels`.
    """
    labels = renamed("labels", labels, "targets", targets)
    with name_scope(name, "logistic_loss", [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _check_same_shape(logits, labels)
        weight = 1 + (pos_weight - 1) * labels
        linear = (1 - labels) * logits
        rest = weight * (gen_ops.log1p(gen_ops.exp(-abs(logits))) + gen_ops.relu(-logits))
        return gen_ops.add(linear, rest, name=scope)


@tf_export("nn.log_poisson_loss")
def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Tensor:
    """Computes `exp(log_input) - log_input * targets` elementwise. Raises ValueError if shapes differ.

    Args:
      targets: tensor of nonnegative numbers.
      log_input: tensor of the same shape and dtype, logarithms of the predictions.
      compute_full_loss: bool, whether Stirling's approximation of `log(targets!)` is added.
    """
    with name_scope(name, "log_poisson_loss", [log_input, targets]):
        log_input = convert_to_tensor(log_input, name="log_input")
        targets = convert_to_tensor(targets, name="targets")
        _check_same_shape(log_input, targets, "log_input and targets")
        result = gen_ops.exp(log_input) - log_input * targets
        if compute_full_loss:
            half = constant(0.5, dtype=targets.dtype)
            two_pi = constant(2 * math.pi, dtype=targets.dtype)
            stirling = targets * gen_ops.log(targets) - targets + half * gen_ops.log(two_pi * targets)
            zeros = zeros_like(targets, dtype=targets.dtype)
            ones = ones_like(targets, dtype=targets.dtype)
            small = gen_ops.logical_and(targets >= zeros, targets <= ones)
            result += where(small, zeros, stirling)
        return result
