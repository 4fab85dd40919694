"""`DropoutWrapper`: a cell with dropout of inputs, states and outputs."""

from __future__ import annotations

import hashlib
import numbers
from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import nest
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import name_scope
from tinytf.framework.nest_shallow import get_traverse_shallow_structure, map_structure_up_to
from tinytf.framework.tensor_shape import TensorShape
from tinytf.nets.rnn.cell_wrapper import CellWrapper
from tinytf.nets.rnn.lstm_state import LSTMStateTuple
from tinytf.ops.array.joining import concat
from tinytf.ops.control_flow.tensor_arrays import is_tensor_array
from tinytf.ops.math.arithmetic import div
from tinytf.ops.nn.regularization import dropout
from tinytf.ops.random.random_ops import random_uniform


@tf_export("nn.rnn_cell.DropoutWrapper")
class DropoutWrapper(CellWrapper):
    """A cell parts of whose input, output and next state become zero by chance, the rest being scaled up.

    Args:
      cell: the cell.
      input_keep_prob, output_keep_prob, state_keep_prob: the part that stays, a number or a scalar; 1 changes nothing.
      variational_recurrent: whether the same parts become zero in each step of a run
        (https://arxiv.org/abs/1512.05287).
      input_size: a TensorShape or number, or a structure of them: the depths of the inputs. To be given if they are dropped
        in the same way in each step.
      dtype: of inputs, states and outputs; to be given with `variational_recurrent`.
      seed: an integer, from which those of the operations follow.
      dropout_state_filter_visitor: a function that takes a part of the state and returns whether there is dropout in it, or a
        structure of bools. By default there is everywhere but in `c` of an LSTMStateTuple and in TensorArrays.

    ValueError for probabilities outside of [0, 1] and where something that must be given is not.
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
        """The constructor's arguments, but for a filter that is there by default."""
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
        """The cell."""
        return self.cell

    def _make_noise(self, what: str, sizes: Any, dtype: Any) -> Any:
        """Noise for each size, the same for the whole batch."""

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
        """The values, with dropout but where `where`, which is at most as deep, has False."""

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
    """A float if it is known, else a tensor."""
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
    """`map_structure_up_to`, but the function gets a number first, counted from 0."""
    count = iter(range(len(nest.flatten(shallow))))
    return map_structure_up_to(shallow, lambda *values: function(next(count), *values), *structures)
