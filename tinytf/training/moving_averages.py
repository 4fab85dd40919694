"""Moving averages of variables and tensors."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.init_scope import init_scope
from tinytf.framework.name_scope import colocate_with, control_dependencies, name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops import control_flow_ops, math_ops
from tinytf.ops.state import state_ops
from tinytf.training import slot_creator
from tinytf.variables import collections as variable_collections
from tinytf.variables import initializers
from tinytf.variables import scope as variable_scope
from tinytf.variables.variable import Variable

_FLOATS = (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Moves `variable` towards `value`: `variable -= (1 - decay) * (variable - value)`.

    Args:
      zero_debias: correct for the variable's having started at 0, by two hidden variables (Kingma and Ba, 2015).

    Returns the variable's new value.
    """
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rest = convert_to_tensor(1.0 - decay, name="decay")
        if rest.dtype != variable.dtype.base_dtype:
            rest = math_ops.cast(rest, variable.dtype.base_dtype)
        if zero_debias:
            return _assign_debiased(variable, value, rest, scope)
        return state_ops.assign_sub(variable, (variable - value) * rest, name=scope)


def _assign_debiased(variable: Any, value: Any, rest: Tensor, name: str) -> Any:
    """Assigns the average that zeros at the start have no part in; `rest` is 1 - decay."""
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


# The hidden variables of those of eager execution; the next call of get_variable would make others.
_eager_state: WeakKeyDictionary[Any, tuple[Any, Any]] = WeakKeyDictionary()


def _debiasing_state(variable: Any, values: list[Any]) -> tuple[Any, Any]:
    """The average with the zeros, and the number of steps."""
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
    """`name`, with a number if the variable scope has a variable of that name and does not reuse it."""
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
    """The moving average of `value * weight` divided by that of `weight`.

    Args:
      decay: a float.
      truediv: False divides integers as `/` of Python 2 does.
      collections: collections of the two variables behind it; GLOBAL_VARIABLES when None.
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
    """Keeps a shadow variable for each variable: `shadow = decay * shadow + (1 - decay) * variable`.

    Args:
      decay: a float, as a rule close to 1.
      num_updates: a count of updates; `min(decay, (1 + num_updates) / (10 + num_updates))` is then used, which is
        faster at the start.
      zero_debias: for tensors (not variables), correct for shadows' starting at 0.
      name: prefix of the operations, suffix of the shadows' names.
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
        """An operation that updates the shadows of these variables (the trainable ones when None), made now if need be.

        Where operations are executed, the shadows are updated at once, and the result is None.

        Variables join the collection MOVING_AVERAGE_VARIABLES; tensors may be given, too. TypeError for other types
        than half, float and double, and for tensors where operations are executed.
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
        """The shadow variable of `var`, or None."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """The name that the shadow of `var` has or would have, for restoring averages from a checkpoint."""
        shadow = self._averages.get(var)
        if shadow is not None:
            return _name(shadow)
        return get_default_graph().unique_name(f"{_name(var)}/{self._name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """Names in a checkpoint → variables: averages for those that have them, values for the others.

        Args:
          moving_avg_variables: variables to restore from their averages; trainable and averaged ones when None.
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
