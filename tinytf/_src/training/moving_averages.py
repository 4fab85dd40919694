"""Exponential moving averages of variables and tensors."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops import control_flow_ops, math_ops
from tinytf._src.ops.state import state_ops
from tinytf._src.training import slot_creator
from tinytf._src.variables import collections as variable_collections
from tinytf._src.variables import initializers
from tinytf._src.variables import scope as variable_scope
from tinytf._src.variables.variable import Variable

_FLOATS = (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Moves `variable` towards `value`: `variable -= (1 - decay) * (variable - value)`.

    Args:
      variable: Variable.
      value: tensor of its shape.
      decay: float scalar.
      zero_debias: bool, whether to correct for the initial value 0 of the variable, by two hidden variables (Kingma and
        Ba, 2015).
      name: optional name of the operation.

    Returns:
      The new value of the variable.
    """
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rest = convert_to_tensor(1.0 - decay, name="decay")
        if rest.dtype != variable.dtype.base_dtype:
            rest = math_ops.cast(rest, variable.dtype.base_dtype)
        if zero_debias:
            return _assign_debiased(variable, value, rest, scope)
        return state_ops.assign_sub(variable, (variable - value) * rest, name=scope)


def _assign_debiased(variable: Any, value: Any, rest: Tensor, name: str) -> Any:
    """Assigns the average corrected for its initial value 0; `rest` is 1 - decay."""
    if executing_eagerly():
        state = _eager_state.get(variable)
        if state is None:
            state = _eager_state[variable] = _debiasing_state(variable, [variable, value, rest])
        biased, steps = state
    else:
        biased, steps = _debiasing_state(variable, [variable, value, rest])
    new_biased = state_ops.assign_sub(biased, (biased - value) * rest)
    new_steps = steps.assign_add(1)
    factor = 1 - math_ops.pow(1.0 - rest, new_steps)
    return state_ops.assign(variable, new_biased / factor, name=name)


# Hidden variables of eager execution; get_variable would create new ones at the next call.
_eager_state: WeakKeyDictionary[Any, tuple[Any, Any]] = WeakKeyDictionary()


def _debiasing_state(variable: Any, values: list[Any]) -> tuple[Any, Any]:
    """Creates the hidden variables: the biased average, and the number of steps."""
    with variable_scope.variable_scope(variable.name[: -len(":0")], values=values):
        with colocate_with(variable), control_dependencies(None):
            dtype = variable.dtype.base_dtype
            biased = variable_scope.get_variable(
                _unused("biased"),
                initializer=initializers.zeros_initializer(),
                shape=variable.get_shape(),
                dtype=dtype,
                trainable=False,
            )
            steps = variable_scope.get_variable(
                _unused("local_step"),
                shape=[],
                dtype=dtype,
                initializer=initializers.zeros_initializer(),
                trainable=False,
            )
            return biased, steps


def _name(v: Any) -> str:
    return v._shared_name if isinstance(v, Variable) else v.op.name


def _unused(name: str) -> str:
    """Returns `name`, with a number appended if the variable scope has such a variable and does not reuse it."""
    scope = variable_scope.get_variable_scope()
    if scope.reuse:
        return name
    taken = {_name(v) for v in scope.global_variables()}
    candidate, i = name, 0
    while f"{scope.name}/{candidate}" in taken:
        i += 1
        candidate = f"{name}_{i}"
    return candidate


def weighted_moving_average(
    value: Tensor,
    decay: Any,
    weight: Tensor,
    truediv: bool = True,
    collections: Any = None,
    name: str | None = None,
) -> Tensor:
    """Computes the moving average of `value * weight`, divided by the moving average of `weight`.

    Args:
      value: tensor.
      decay: float scalar.
      weight: tensor that is multiplied by `value`.
      truediv: bool; False divides integers like `/` in Python 2.
      collections: optional collections of the two variables; defaults to [GLOBAL_VARIABLES].
      name: optional name of the variable scope.
    """
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections

    def average(of: Tensor, name: str) -> Any:
        variable = variable_scope.get_variable(
            name,
            shape=of.get_shape(),
            dtype=of.dtype,
            initializer=initializers.zeros_initializer(),
            trainable=False,
            collections=collections,
        )
        return variable

    with variable_scope.variable_scope(name, "WeightedMovingAvg", [value, weight]) as scope:
        products = average(value, "value_x_weight")
        weights = average(weight, "weight")
        numerator = assign_moving_average(products, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(weights, weight, decay, zero_debias=False)
        divide = math_ops.truediv if truediv else math_ops.div
        return divide(numerator, denominator, name=scope.name)


@tf_export("train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Maintains exponential moving averages in shadow variables: `shadow = decay * shadow + (1 - decay) * variable`.

    Args:
      decay: float scalar, usually close to 1.
      num_updates: optional scalar, number of updates so far; the decay then is `min(decay, (1 + num_updates) / (10 +
        num_updates))`, which averages faster at the start.
      zero_debias: bool, whether averages of tensors (not of variables) are corrected for their initial value 0.
      name: str, prefix of the operations and suffix of the names of shadow variables.

    Example:
      ema = tf.train.ExponentialMovingAverage(0.99)
      with tf.control_dependencies([train_step]):
        train_op = ema.apply([weights])
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        """The name given to the constructor."""
        return self._name

    def apply(self, var_list: Any = None) -> Any:
        """Creates an operation that updates the shadow variables, which are created if they do not exist.

        Averaged variables are added to the collection MOVING_AVERAGE_VARIABLES.

        Args:
          var_list: optional list of variables and tensors; defaults to the trainable variables.

        Returns:
          An operation; None in eager execution, where the shadow variables are updated immediately.

        Raises:
          TypeError: if a dtype is not floating point, or for a tensor in eager execution.
        """
        if var_list is None:
            var_list = variable_collections.trainable_variables()
        debiased = set()
        for var in var_list:
            if executing_eagerly() and not isinstance(var, Variable):
                raise TypeError(
                    "tf.train.ExponentialMovingAverage does not support non-Variable tensors when eager execution is enabled."
                )
            if var.dtype.base_dtype not in _FLOATS:
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            if var not in self._averages:
                with init_scope():
                    shadow = self._shadow(var)
                self._averages[var] = shadow
                if self._zero_debias and not isinstance(var, Variable):
                    debiased.add(shadow)
        with name_scope(self._name) as scope:
            decay = convert_to_tensor(self._decay, name="decay")
            if self._num_updates is not None:
                updates_so_far = math_ops.cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = gen_ops.minimum(decay, (1.0 + updates_so_far) / (10.0 + updates_so_far))
            updates = []
            for var in var_list:
                shadow = self._averages[var]
                updates.append(assign_moving_average(shadow, var, decay, zero_debias=shadow in debiased))
            return control_flow_ops.group(*updates, name=scope)

    def _shadow(self, var: Any) -> Any:
        is_variable = isinstance(var, Variable)
        if not is_variable:
            return slot_creator.create_zeros_slot(var, self._name, colocate_with_primary=var.op._spec.is_variable)
        shadow = slot_creator.create_slot(var, var.initialized_value(), self._name, colocate_with_primary=True)
        get_default_graph().add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
        return shadow

    def average(self, var: Any) -> Any:
        """Returns the shadow variable of a variable, or None.

        Args:
          var: Variable or tensor.
        """
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """Returns the name that the shadow variable has or would have, for restoring averages from a checkpoint.

        Args:
          var: Variable or tensor.
        """
        shadow = self._averages.get(var)
        if shadow is not None:
            return _name(shadow)
        return get_default_graph().unique_name(_name(var) + "/" + self._name, mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """Returns a dict for a Saver from names in a checkpoint to variables: averages where they exist, values
        otherwise.

        Args:
          moving_avg_variables: optional list of variables to restore from their averages; defaults to the trainable and
            the averaged variables.

        Returns:
          A dict from name to variable.
        """
        if moving_avg_variables is None:
            moving_avg_variables = (
                variable_collections.trainable_variables() + variable_collections.moving_average_variables()
            )
        averaged = set(moving_avg_variables)
        names = {self.average_name(v): v for v in averaged}
        averaged_names = {v.name for v in averaged}
        for v in dict.fromkeys(variable_collections.global_variables()):
            if v.name not in averaged_names and _name(v) not in names:
                names[_name(v)] = v
        return names
