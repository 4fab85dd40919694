"""`tf.gradients`: walks a graph backwards and builds the operations that compute derivatives."""

from __future__ import annotations

import contextlib
from collections import deque
from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.conversion import convert_to_tensor, internal_convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph import Graph
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.name_scope import colocate_with, device, name_scope
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.gradients.aggregation import AggregationMethod, aggregate
from tinytf.gradients.control_flow_grad import zeros_for_output
from tinytf.gradients.registry import get_gradient_function
from tinytf.gradients.unconnected import UnconnectedGradients, zero_gradients
from tinytf.ops import array_ops, control_flow_ops

_TRAINABLE = frozenset(
    t.as_datatype_enum
    for t in (
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
        dtypes.complex64,
        dtypes.complex128,
        dtypes.resource,
        dtypes.variant,
        dtypes.bfloat16,
    )
)


def is_trainable(tensor_or_dtype: Any) -> bool:
    """Whether gradients flow through tensors of this type: floats, complex numbers and resources."""
    dtype = tensor_or_dtype if isinstance(tensor_or_dtype, dtypes.DType) else tensor_or_dtype.dtype
    return dtype.base_dtype.as_datatype_enum in _TRAINABLE


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
    """Derivatives of the sum of `ys` with respect to each of `xs`, as new operations.

    Args:
      ys: a Tensor or a list.
      xs: a Tensor or Variable, or a list.
      grad_ys: initial gradients, one per y, shaped like it; None entries (or None) mean ones.
      name: name scope of the new operations.
      colocate_gradients_with_ops: put the gradient operations where the forward ones are.
      gate_gradients: wait for all gradients of an operation before any of them is used.
      aggregation_method: how to sum gradients of one tensor; see AggregationMethod.
      stop_gradients: tensors not to differentiate through.
      unconnected_gradients: 'none' gives None, 'zero' zeros, for an x that no y depends on.

    Returns a list as long as `xs` of Tensor, IndexedSlices or None.

    Raises LookupError when a gradient reaches an operation without a gradient function, ValueError and TypeError for
    arguments that do not fit, RuntimeError in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    ys = _as_list(ys)
    xs = [
        x.handle if hasattr(x, "handle") and x.handle is not None and x.dtype is not dtypes.resource else x
        for x in _as_list(xs)
    ]
    stop_list = _as_list(stop_gradients if stop_gradients is not None else [])
    grad_list = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}") from None
    with name_scope(name, "gradients", [*ys, *xs, *stop_list, *(g for g in grad_list if g is not None)]) as scope:
        get_default_graph().unique_name("uid")  # only reserved, as TensorFlow does
        ys = [convert_to_tensor(y, name="y") for y in ys]
        # A variable stands for its reference, into which gradients of all its reads flow.
        xs = [internal_convert_to_tensor(x, name="x", as_ref=True) for x in xs]
        walk = _Walk(scope, ys, xs, stop_list, colocate_gradients_with_ops, gate_gradients, aggregation_method)
        walk.run(_initial_gradients(grad_list, ys, colocate_gradients_with_ops))
    result = [walk.gradient_of(x) for x in xs]
    if unconnected is UnconnectedGradients.ZERO:
        result = [zero_gradients(x) if g is None else g for g, x in zip(result, xs, strict=True)]
    return result


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _initial_gradients(grad_ys: list[Any], ys: list[Tensor], colocate: bool) -> list[Any]:
    if len(grad_ys) != len(ys):
        raise ValueError(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    grad_ys = [
        grad if grad is None or isinstance(grad, IndexedSlices) else convert_to_tensor(grad, name=f"grad_y_{i}")
        for i, grad in enumerate(grad_ys)
    ]
    result: list[Any] = []
    for i, (grad, y) in enumerate(zip(grad_ys, ys, strict=True)):
        with _maybe_colocate(y.op, colocate):
            if grad is None:
                if y.dtype.is_complex:
                    raise TypeError(f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})")
                shape = array_ops.shape(y)
                ones = constant(1, dtype=y.dtype.base_dtype, name=f"grad_ys_{i}")
                result.append(array_ops.fill(shape, ones))
                continue
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


def _maybe_colocate(op: Operation, colocate: bool) -> Any:
    return colocate_with(op) if colocate else contextlib.nullcontext()


class _Walk:
    """One backward walk. Gradients of tensors collect in `_gradients` until all of a tensor's consumers are done."""

    def __init__(
        self,
        scope: str,
        ys: list[Tensor],
        xs: list[Tensor],
        stop: list[Any],
        colocate: bool,
        gate: bool,
        aggregation_method: int | None,
    ) -> None:
        if aggregation_method not in (None, *AggregationMethod.ALL):
            raise ValueError(f"Invalid aggregation_method specified {aggregation_method}.")
        self._scope = scope
        self._ys = ys
        self._xs = xs
        self._colocate = colocate
        self._gate = gate
        self._method = aggregation_method or AggregationMethod.DEFAULT
        self._graph: Graph = get_default_graph()
        self._gradients: dict[int, list[Any]] = {}  # tensor key → terms
        self._inputs: dict[Operation, tuple[Tensor, ...]] = {}
        self._pending = self._count_pending()
        self._stop_ops = self._stops(stop)

    def _inputs_of(self, op: Operation) -> tuple[Tensor, ...]:
        inputs = self._inputs.get(op)
        if inputs is None:
            inputs = self._inputs[op] = op.inputs
        return inputs

    def _stops(self, stop: list[Any]) -> set[Operation]:
        ops = {t.op for t in stop}
        # Behind an x there is nothing to find, unless it depends on another x.
        for op in {x.op for x in self._xs}:
            if not any(self._pending.get(t.op, 0) > 0 for t in self._inputs_of(op)):
                ops.add(op)
        return ops

    def _count_pending(self) -> dict[Operation, int]:
        """For each op on a path from xs to ys: how many uses by other such ops are not done."""
        reached: set[Operation] = set()
        ancestors: set[Operation] = set()
        queue = [y.op for y in self._ys]
        while queue:
            op = queue.pop()
            if op in ancestors:
                continue
            ancestors.add(op)
            queue.extend(t.op for t in self._inputs_of(op))
        users: dict[Operation, list[Operation]] = {}  # of those ancestors' outputs through which gradients flow
        for op in ancestors:
            for t in self._inputs_of(op):
                if is_trainable(t):
                    users.setdefault(t.op, []).append(op)
        queue = [x.op for x in self._xs]
        while queue:
            op = queue.pop()
            if op not in reached:
                reached.add(op)
                queue.extend(users.get(op, ()))
        # Of those, the ones from which a y is reached through others of them: only they will be visited.
        pending: dict[Operation, int] = {}
        queue = [y.op for y in self._ys]
        while queue:
            op = queue.pop()
            if op in reached and op not in pending:
                pending[op] = 0
                queue.extend(t.op for t in self._inputs_of(op))
        for op in pending:
            for t in self._inputs_of(op):
                if t.op in pending:
                    pending[t.op] += 1
        return pending

    def run(self, initial: list[Any]) -> None:
        ready: deque[Operation] = deque()
        for y, grad in zip(self._ys, initial, strict=True):
            self._gradients.setdefault(y._key, []).append(grad)
        seen: set[Operation] = set()
        for y in self._ys:
            if self._pending.get(y.op, 0) == 0 and y.op not in seen:
                seen.add(y.op)
                ready.append(y.op)
        while ready:
            op = ready.popleft()
            if op not in self._pending:
                continue
            self._visit(op)
            for t in self._inputs_of(op):
                producer = t.op
                if producer in self._pending:
                    self._pending[producer] -= 1
                    if self._pending[producer] == 0:
                        ready.append(producer)

    def _visit(self, op: Operation) -> None:
        with _maybe_colocate(op, self._colocate):
            out_grads = self._output_gradients(op)
            if op in self._stop_ops or all(g is None for g in out_grads):
                return
            try:
                function = get_gradient_function(op)
            except LookupError:
                raise LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type})") from None
            if function is None:
                return
            for i, grad in enumerate(out_grads):
                if grad is None and is_trainable(op.outputs[i]):
                    out_grads[i] = zeros_for_output(op, i)
            before = self._graph.version
            with self._graph.name_scope(op.name + "_grad"):
                in_grads = function(op, *out_grads)
                in_grads = list(in_grads) if isinstance(in_grads, (list, tuple)) else [in_grads]
                inputs = self._inputs_of(op)
                if len(in_grads) != len(inputs):
                    raise ValueError(
                        f"Num gradients {len(in_grads)} generated for op {op.node_def} do not match num inputs {len(inputs)}"
                    )
                if self._gate and sum(g is not None for g in in_grads) > 1:
                    with device(None), colocate_with(None, ignore_existing=True):
                        in_grads = control_flow_ops.tuple(in_grads)
            for new in self._graph._nodes.ops[before:]:
                new._original_op = op
        for i, (tensor, grad) in enumerate(zip(inputs, in_grads, strict=True)):
            if grad is None:
                continue
            if isinstance(grad, Tensor) and tensor.dtype != dtypes.resource:
                self._check_shape(op, i, tensor, grad)
            if not isinstance(grad, (Tensor, IndexedSlices)):
                raise TypeError("gradients have to be either all Tensors or all IndexedSlices")
            self._gradients.setdefault(tensor._key, []).append(grad)

    @staticmethod
    def _check_shape(op: Operation, index: int, tensor: Tensor, grad: Tensor) -> None:
        try:
            grad.set_shape(tensor.get_shape())
        except ValueError:
            raise ValueError(
                "Incompatible shapes between op input and calculated input gradient.  Forward operation: "
                f"{op.name}.  Input index: {index}. Original input shape: {tensor.shape}.  Calculated input gradient shape: "
                f"{grad.shape}"
            ) from None

    def _output_gradients(self, op: Operation) -> list[Any]:
        """The sum of the terms for each output, or None."""
        grads: list[Any] = []
        for output in op.outputs:
            terms = self._gradients.get(output._key)
            if not terms:
                grads.append(None)
                continue
            if len(terms) > 1:
                terms[:] = [aggregate(terms, self._method, op.name)]
            grads.append(terms[0])
        return grads

    def gradient_of(self, x: Tensor) -> Any:
        terms = self._gradients.get(x._key)
        if not terms:
            return None
        if len(terms) > 1:
            terms[:] = [aggregate(terms, self._method, x.op.name)]
        return terms[0]
