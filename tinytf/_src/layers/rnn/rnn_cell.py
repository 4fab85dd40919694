"""`RNNCell`: the base class of recurrent cells."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.layers.creation import parts_of
from tinytf._src.layers.rnn.sizes import zero_states
from tinytf._src.layers.scoped import Layer
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.variables.scope import variable_scope
from tinytf._src.variables.scope_defaults import get_variable_scope

tf_export("nn.rnn_cell").namespace("Cells of recurrent neural networks.")


@tf_export("nn.rnn_cell.RNNCell")
class RNNCell(Layer):
    """Base class of recurrent cells, which run one time step: `output, new_state = cell(input, state)`.

    A subclass defines `state_size`, `output_size` and `call(inputs, state)`. `tf.get_variable` in `call` creates
    variables at the first call and reuses them later.

    Args:
      trainable: bool, whether the variables are trainable.
      name: optional name of the cell.
      dtype: optional dtype of the variables.
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)

    @called_by_users
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Runs one time step; returns the output and the new state.

        Args:
          inputs: tensor of shape [batch, depth], or another input that the cell accepts.
          state: tensors of shape [batch, size] for each size in `state_size`, in the same structure.
          scope: optional variable scope of the first call.
        """
        if scope is not None:
            with variable_scope(scope, custom_getter=self._rnn_get_variable) as opened:
                return super().__call__(inputs, state, scope=opened)
        if not hasattr(self, "rnncell_scope"):
            self.rnncell_scope = variable_scope(get_variable_scope(), custom_getter=self._rnn_get_variable)
        with self.rnncell_scope:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        """Custom getter that records the variables that `tf.get_variable` creates or reuses."""
        variable = getter(*args, **kwargs)
        if executing_eagerly():
            trainable = variable.trainable
        else:
            first = parts_of(variable)[0]
            known = get_default_graph().get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
            trainable = any(first is other for other in known)
        weights = self._trainable_weights if trainable else self._non_trainable_weights
        if not any(variable is other for other in weights):
            weights.append(variable)
        return variable

    @property
    def state_size(self) -> Any:
        """The sizes of the states: an int or a TensorShape, or a structure of them."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output: an int or a TensorShape, or a structure of them."""
        raise NotImplementedError("Abstract method")

    def build(self, _: Any) -> None:
        """Creates no variables: `call` does."""

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Returns the zero state for a batch.

        Args:
          inputs: optional tensor whose batch size and dtype are used.
          batch_size: int or int32 scalar; required without `inputs`.
          dtype: dtype of the state; required without `inputs`.

        Raises:
          ValueError: if arguments are missing or contradict `inputs`.
        """
        if inputs is not None:
            inputs = convert_to_tensor(inputs, name="inputs")
            known = inputs.shape.as_list()[0]
            if batch_size is not None:
                told = constant_value(batch_size, partial=True) if isinstance(batch_size, Tensor) else batch_size
                if known != told:
                    raise ValueError(
                        "batch size from input tensor is different from the input param. Input tensor batch: "
                        f"{known}, batch_size: {batch_size}"
                    )
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError(
                    "dtype from input tensor is different from the input param. Input tensor dtype: "
                    f"{inputs.dtype}, dtype: {dtype}"
                )
            batch_size = known or shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    @called_by_users
    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns zeros of shape [batch_size, size] for each size in `state_size`, in the same structure.

        Args:
          batch_size: int or int32 scalar.
          dtype: dtype of the state.
        """
        with name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return zero_states(self.state_size, batch_size, dtype)


class LayerRNNCell(RNNCell):
    """A cell that creates its variables once, in `build`, and does not look them up in `call`."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Runs one time step; returns the output and the new state."""
        return Layer.__call__(self, inputs, state, scope=scope, *args, **kwargs)  # noqa: B026 (TensorFlow's order)


def assert_like_rnncell(cell_name: str, cell: Any) -> None:
    """Raises a TypeError that names the argument unless the object has the interface of a cell."""
    wrong = [
        (hasattr(cell, "output_size"), "'output_size' property is missing"),
        (hasattr(cell, "state_size"), "'state_size' property is missing"),
        (
            hasattr(cell, "get_initial_state") or hasattr(cell, "zero_state"),
            "either 'zero_state' or 'get_initial_state' method is required",
        ),
        (callable(cell), "is not callable"),
    ]
    missing = [what for there, what in wrong if not there]
    if missing:
        raise TypeError(f"The argument {cell_name!r} ({cell}) is not an RNNCell: {', '.join(missing)}.")


def initial_state(cell: Any, batch_size: Any, dtype: Any) -> Any:
    """Returns the initial state of a cell or of an object with its interface."""
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def check_floats(dtype: Any) -> None:
    """Raises ValueError if the dtype is neither floating nor complex; None passes."""
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
        if not (dtype.is_floating or dtype.is_complex):
            raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {dtype}")


def check_float_inputs(*inputs: Any) -> None:
    """Applies `check_floats` to all tensors of the structures."""
    for tensor in nest.flatten(inputs):
        check_floats(tensor.dtype)


def known_depth(input_shape: Any) -> int:
    """Returns the last dimension of an input shape. Raises ValueError if it is unknown."""
    sizes = as_shape(input_shape).as_list()
    if sizes[-1] is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {tuple(sizes)}")
    return sizes[-1]
