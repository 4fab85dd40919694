"""`DropoutWrapper`: a cell with dropout of its inputs, states and outputs."""

from __future__ import annotations

import hashlib
import numbers
from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.nest import nest
from tinytf._src.framework.nest.shallow import get_traverse_shallow_structure, map_structure_up_to
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.layers.rnn.cell_wrapper import CellWrapper
from tinytf._src.layers.rnn.lstm_state import LSTMStateTuple
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.control_flow.tensor_arrays import is_tensor_array
from tinytf._src.ops.math.arithmetic import div
from tinytf._src.ops.nn.regularization import dropout
from tinytf._src.ops.random.random_ops import random_uniform


@tf_export("nn.rnn_cell.DropoutWrapper")
class DropoutWrapper(CellWrapper):
    """Wrapper that applies dropout to the input, the output and the new state of a cell.

    Args:
      cell: RNNCell to wrap.
      input_keep_prob: float or scalar tensor, probability to keep an element of the input; 1 disables dropout.
      output_keep_prob: the same for the output.
      state_keep_prob: the same for the new state.
      variational_recurrent: bool, whether all time steps of a run share one dropout mask
        (https://arxiv.org/abs/1512.05287).
      input_size: TensorShape or int, or a structure of them: the depths of the inputs. Required for variational dropout
        of inputs.
      dtype: dtype of inputs, states and outputs; required if `variational_recurrent` is True.
      seed: optional int from which the seeds of the ops are derived.
      dropout_state_filter_visitor: optional function from a part of the state to a bool, or a structure of bools, that
        says where dropout applies. By default it applies everywhere but to `c` of an LSTMStateTuple and to
        TensorArrays.

    Raises:
      TypeError: if `cell` is not an RNNCell or `dropout_state_filter_visitor` is not callable.
      ValueError: if a probability is not in [0, 1], or if a required argument is missing.
    """

    def __init__(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: int | None = None,
        dropout_state_filter_visitor: Callable[[Any], Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._dropout_state_filter = dropout_state_filter_visitor or _all_but_memory
        self._variational_recurrent = variational_recurrent
        self._input_size = input_size
        self._seed = seed
        self._noise: dict[str, Any] = {"input": None, "state": None, "output": None}
        with name_scope("DropoutWrapperInit"):
            self._input_keep_prob = _probability("input_keep_prob", input_keep_prob)
            self._state_keep_prob = _probability("state_keep_prob", state_keep_prob)
            self._output_keep_prob = _probability("output_keep_prob", output_keep_prob)
        if variational_recurrent:
            if dtype is None:
                raise ValueError("When variational_recurrent=True, dtype must be provided")
            if _drops(self._input_keep_prob):
                if input_size is None:
                    raise ValueError(
                        "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be "
                        "provided"
                    )
                self._noise["input"] = self._make_noise("input", input_size, dtype)
            self._noise["state"] = self._make_noise("state", cell.state_size, dtype)
            self._noise["output"] = self._make_noise("output", cell.output_size, dtype)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict, without the default state filter."""
        config = super().get_config()
        config.update(
            input_keep_prob=self._input_keep_prob,
            output_keep_prob=self._output_keep_prob,
            state_keep_prob=self._state_keep_prob,
            variational_recurrent=self._variational_recurrent,
            input_size=self._input_size,
            seed=self._seed,
        )
        if self._dropout_state_filter is not _all_but_memory:
            config["dropout_state_filter_visitor"] = self._dropout_state_filter
        return config

    @property
    def wrapped_cell(self) -> Any:
        """The wrapped cell."""
        return self.cell

    def _make_noise(self, what: str, sizes: Any, dtype: Any) -> Any:
        """Returns one noise tensor per size, shared by the whole batch."""

        def noise(i: int, size: Any) -> Any:
            shape = concat(([1], TensorShape(size).as_list()), 0)
            return random_uniform(shape, seed=self._gen_seed(what, i), dtype=dtype)

        return _numbered_map(sizes, noise, sizes)

    def _gen_seed(self, salt_prefix: str, index: int) -> int | None:
        if self._seed is None:
            return None
        digest = hashlib.md5(f"{self._seed}{salt_prefix}_{index}".encode()).hexdigest()
        return int(digest[:8], 16) & 0x7FFFFFFF

    def _dropped(self, what: str, values: Any, keep_prob: Any, where: Any) -> Any:
        """Applies dropout to the values except where `where`, a structure that may be shallower than the values, is
        False.
        """

        def drop(i: int, wanted: Any, value: Any, *noise: Any) -> Any:
            if wanted is False:
                return value
            if noise:
                kept = gen_ops.floor(keep_prob + noise[0])
                result = div(value, keep_prob) * kept
                result.set_shape(value.shape)
                return result
            return dropout(value, rate=1.0 - keep_prob, seed=self._gen_seed(what, i))

        noise = (self._noise[what],) if self._variational_recurrent else ()
        return _numbered_map(where, drop, where, values, *noise)

    def _call_wrapped_cell(self, inputs: Any, state: Any, cell_call_fn: Callable[..., Any], **kwargs: Any) -> Any:
        if _drops(self._input_keep_prob):
            inputs = self._dropped("input", inputs, self._input_keep_prob, inputs)
        output, new_state = cell_call_fn(inputs, state, **kwargs)
        if _drops(self._state_keep_prob):
            where = get_traverse_shallow_structure(self._dropout_state_filter, new_state)
            new_state = self._dropped("state", new_state, self._state_keep_prob, where)
        if _drops(self._output_keep_prob):
            output = self._dropped("output", output, self._output_keep_prob, output)
        return output, new_state


def _probability(name: str, value: Any) -> Any:
    """Returns the probability as a float if it is known statically, otherwise as a tensor."""
    tensor = convert_to_tensor(value)
    known = constant_value(tensor)
    if known is None:
        return tensor
    if not 0 <= known <= 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {int(known)}")
    return float(known)


def _drops(keep_prob: Any) -> bool:
    return not isinstance(keep_prob, numbers.Real) or keep_prob < 1


def _all_but_memory(state: Any) -> Any:
    if isinstance(state, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not is_tensor_array(state)


def _numbered_map(shallow: Any, function: Callable[..., Any], *structures: Any) -> Any:
    """Does the same as `map_structure_up_to`, but passes an index, counted from 0, as the first argument."""
    count = iter(range(len(nest.flatten(shallow))))
    return map_structure_up_to(shallow, lambda *values: function(next(count), *values), *structures)
