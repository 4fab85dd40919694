"""`Optimizer`: the base class of optimizers and the methods that subclasses override."""

from __future__ import annotations

import functools
from collections.abc import Callable, KeysView, ValuesView
from typing import Any, TypeVar, cast

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor, convert_to_tensor_or_indexed_slices
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.ops import array_ops, control_flow_ops
from tinytf._src.ops.state import state_ops
from tinytf._src.training.optimizers.eager_gradients import eager_gradients
from tinytf._src.training.optimizers.processors import processor_of
from tinytf._src.training.optimizers.state import OptimizerState
from tinytf._src.variables import collections as variable_collections
from tinytf._src.variables.eager_variable import EagerVariable
from tinytf._src.variables.resource_variable import ResourceVariable

_Method = TypeVar("_Method", bound=Callable[..., Any])


def once_per_step(make: _Method) -> _Method:
    """Decorates `hypers(self, dtype)`: eager execution calls it once per `apply_gradients`, graphs once per update."""

    @functools.wraps(make)
    def shared(self: Any, dtype: Any) -> Any:
        if not executing_eagerly():
            return make(self, dtype)
        made = self._of_this_step.get(dtype)
        if made is None:
            # Variables are read here, so that all updates see the values from before the first update.
            made = self._of_this_step[dtype] = tuple(convert_to_tensor(value) for value in make(self, dtype))
        return made

    return cast(_Method, shared)


@tf_export("train.Optimizer")
class Optimizer(OptimizerState):
    """Base class of optimizers, which update variables to minimize a loss. An optimizer may be used in several graphs.

    A subclass overrides `_apply_dense`, `_resource_apply_dense`, `_apply_sparse` and `_resource_apply_sparse`, and also
    `_create_slots`, `_prepare` and `_finish` if it has state.

    Args:
      use_locking: bool, whether updates take the lock of the variable.
      name: str, prefix of the names of operations and slots. ValueError if it is empty.
    """

    GATE_NONE = 0  # Gradients are used as soon as they are computed.
    GATE_OP = 1  # All gradients of an operation are computed before any of them is used.
    GATE_GRAPH = 2  # All gradients are computed before any is used.

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        super().__init__(name)
        self._use_locking = use_locking
        self._of_this_step: dict[Any, Any] = {}  # See once_per_step.
        self._constants: dict[str, tuple[Any, Any]] = {}  # Numbers and their tensors; see _hyper.

    def get_name(self) -> str:
        """Returns the name given to the constructor."""
        return self._name

    # -- Public methods ----------------------------------------------------------------------------------------------

    @called_by_users
    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Operation:
        """Creates an operation that makes one step to minimize `loss`: `compute_gradients`, then `apply_gradients`.

        In eager execution `loss` is a function without arguments, the step is taken immediately, and the result is
        None. Raises ValueError if no variable has a gradient.
        """
        grads_and_vars = self.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        if all(grad is None for grad, _ in grads_and_vars):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {[str(v) for _, v in grads_and_vars]} and loss {loss}."
            )
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    @called_by_users
    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Computes the gradients of a loss with respect to variables.

        Args:
          loss: float scalar, or function without arguments that returns one; eager execution requires a function.
          var_list: optional nested list of variables; defaults to the trainable variables of the graph. For a function
            in eager execution or in a function graph it defaults to the variables that it reads.
          gate_gradients: GATE_NONE, GATE_OP or GATE_GRAPH.
          aggregation_method: optional value of `tf.AggregationMethod`.
          colocate_gradients_with_ops: bool, whether gradients are colocated with the forward operations. For a function
            in eager execution or in a function graph this and the two arguments before it are ignored.
          grad_loss: optional gradient of `loss`; defaults to ones.

        Returns:
          A list of pairs (gradient, variable); a gradient is a Tensor, IndexedSlices, or None without dependency.

        Raises:
          ValueError: if there are no variables, or if an argument or dtype is invalid.
          RuntimeError: in eager execution, if `loss` is not a function.
          NotImplementedError: if an entry of `var_list` is neither Variable nor Tensor.
        """
        if executing_eagerly() or (callable(loss) and get_default_graph().building_function):
            return eager_gradients(loss, None if var_list is None else _flat(var_list), grad_loss)
        if callable(loss):
            loss = loss()
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not "
                f"{gate_gradients}"
            )
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        if var_list is None:
            var_list = variable_collections.trainable_variables()
            var_list += get_default_graph().get_collection(GraphKeys.TRAINABLE_RESOURCE_VARIABLES)
        else:
            var_list = _flat(var_list)
        var_list = var_list + get_default_graph().get_collection(GraphKeys._STREAMING_MODEL_PORTS)
        if not var_list:
            raise ValueError("No variables to optimize.")
        processors = [processor_of(v) for v in var_list]
        grads = gradients(
            loss,
            [p.target() for p in processors],
            grad_ys=grad_loss,
            aggregation_method=aggregation_method,
            gate_gradients=gate_gradients == Optimizer.GATE_OP,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gate_gradients == Optimizer.GATE_GRAPH:
            grads = control_flow_ops.tuple(grads)
        result = list(zip(grads, var_list, strict=True))
        self._assert_valid_dtypes([v for g, v in result if g is not None and v.dtype != dtypes.resource])
        return result

    @called_by_users
    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Creates an operation that updates variables by gradients, and adds it to the collection TRAIN_OP.

        Args:
          grads_and_vars: pairs as from `compute_gradients`; pairs with gradient None are skipped.
          global_step: optional variable that is incremented after all updates.
          name: optional name of the operation; defaults to that of the optimizer.

        In eager execution variables are updated immediately and the result is None. Raises ValueError without any
        gradient and TypeError if a gradient is not a tensor.
        """
        grads_and_vars = tuple(grads_and_vars)
        if not grads_and_vars:
            raise ValueError("No variables provided.")
        converted = [(_gradient(grad), var, processor_of(var)) for grad, var in grads_and_vars]
        var_list = [var for grad, var, _ in converted if grad is not None]
        if not var_list:
            raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v, _ in converted]}.")
        if executing_eagerly():
            self._apply_now([(grad, processor) for grad, _, processor in converted if grad is not None], var_list)
            if global_step is not None:
                _increment(global_step, None)
            return None
        with control_dependencies(None):
            self._create_slots(var_list)
        with name_scope(name, self._name) as scope:
            self._prepare()
            updates = []
            for grad, var, processor in converted:
                if grad is None:
                    continue
                with name_scope("update_" + _key_name(var)), colocate_with(var):
                    updates.append(processor.update_op(self, grad))
            if global_step is None:
                train_op = self._finish(updates, scope)
            else:
                with control_dependencies([self._finish(updates, "update")]), colocate_with(global_step):
                    train_op = _increment(global_step, scope)
        if isinstance(train_op, Tensor):
            train_op = train_op.op
        collection = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
        if train_op not in collection:
            collection.append(train_op)
        return train_op

    def _apply_now(self, updates: list[tuple[Any, Any]], var_list: list[Any]) -> None:
        """Applies gradients in eager execution, without name scopes, because eager operations have no names."""
        paused = _core.pause_tapes() if _core.any_tape() else None
        try:
            self._create_slots(var_list)
            self._of_this_step.clear()
            self._prepare()
            self._finish([processor.update_op(self, grad) for grad, processor in updates], "")
        finally:
            if paused:
                _core.resume_tapes(paused)

    # -- Methods that subclasses override ----------------------------------------------------------------------------

    def _create_slots(self, var_list: list[Any]) -> None:
        """Creates the state for these variables, once per variable."""

    def _prepare(self) -> None:
        """Creates the tensors that all updates of one `apply_gradients` share."""

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        """Updates a reference variable by a dense gradient."""
        raise NotImplementedError()

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        """Updates a resource variable by a dense gradient."""
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        """Updates a reference variable by rows whose indices may repeat; by default sums up repeated rows first."""
        values, indices = _deduplicated(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        """Updates a reference variable by rows with distinct indices."""
        raise NotImplementedError()

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        """Updates a resource variable by rows whose indices may repeat; by default sums up repeated rows first."""
        values, unique = _deduplicated(grad, indices)
        return self._resource_apply_sparse(values, handle, unique)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        """Updates a resource variable by rows with distinct indices."""
        raise NotImplementedError()

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        """Groups all updates into one operation; a subclass adds operations that must follow them."""
        return control_flow_ops.group(*update_ops, name=name_scope)

    def _valid_dtypes(self) -> set[dtypes.DType]:
        """Returns the dtypes that losses and variables may have."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors: list[Any]) -> None:
        """Raises ValueError unless all tensors have a valid dtype."""
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(f"Invalid type {dtype!r} for {tensor.name}, expected: {list(valid)}.")

    # -- State, for subclasses ---------------------------------------------------------------------------------------

    def _call_if_callable(self, param: Any) -> Any:
        """Returns `param`, or its result if it is callable."""
        return param() if callable(param) else param

    def _hyper(self, value: Any, name: str) -> Tensor:
        """Returns a hyperparameter (a number, a Tensor, or a function that returns one) as a tensor."""
        value = self._call_if_callable(value)
        if type(value) is not float or not executing_eagerly():
            return convert_to_tensor(value, name=name)
        number, tensor = self._constants.get(name, (None, None))
        if number is not value or tensor._state() != "live":  # Otherwise the tensor of the previous step is reused.
            tensor = convert_to_tensor(value)
            self._constants[name] = value, tensor
        return tensor


def _flat(nest: Any) -> list[Any]:
    """Returns the leaves of nested lists, tuples, dicts and dict views."""
    if isinstance(nest, dict):
        return [leaf for key in sorted(nest) for leaf in _flat(nest[key])]
    if isinstance(nest, (list, tuple, KeysView, ValuesView)):
        return [leaf for item in nest for leaf in _flat(item)]
    return [nest]


def _gradient(grad: Any) -> Any:
    if grad is None:
        return None
    try:
        return convert_to_tensor_or_indexed_slices(grad)
    except TypeError:
        raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {grad}") from None


def _increment(global_step: Any, name: str | None) -> Any:
    if isinstance(global_step, ResourceVariable):
        one = convert_to_tensor(1, dtype=global_step.dtype)
        return gen_ops.assign_add_variable_op(global_step.handle, one, name=name)
    return state_ops.assign_add(global_step, 1, name=name)


def _deduplicated(values: Tensor, indices: Tensor) -> tuple[Tensor, Tensor]:
    """Returns rows and indices with the rows of equal indices summed up."""
    unique, positions = gen_ops.unique(indices)[:2]
    count = array_ops.shape(unique)[0]
    return gen_ops.unsorted_segment_sum(values, positions, count), unique


def _key_name(var: Any) -> str:
    return var._shared_name if isinstance(var, EagerVariable) else var.op.name
