"""`group_by_reducer`: a value for each key, which functions compute from all elements with the key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.dataset import UnaryDataset
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.data.state_functions import traced_with_state
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.values import dtypes

_KEY = TensorSpec([], dtypes.int64)
_NAME = "tf.data.experimental.group_by_reducer()"


@tf_export("data.experimental.Reducer")
class Reducer:
    """The functions of a reduction.

    Example:
      mean = tf.data.experimental.Reducer(
        init_func=lambda _: (0.0, 0.0),
        reduce_func=lambda state, value: (state[0] + value, state[1] + 1),
        finalize_func=lambda total, count: total / count,
      )
    """

    def __init__(
        self, init_func: Callable[..., Any], reduce_func: Callable[..., Any], finalize_func: Callable[..., Any]
    ) -> None:
        """Keeps the functions.

        Args:
          init_func: takes a key; returns the first state, a nested structure of tensors.
          reduce_func: takes a state and an element; returns the next state.
          finalize_func: takes the last state; returns the result.
        """
        self._init_func = init_func
        self._reduce_func = reduce_func
        self._finalize_func = finalize_func

    @property
    def init_func(self) -> Callable[..., Any]:
        """The function of keys that returns the first state."""
        return self._init_func

    @property
    def reduce_func(self) -> Callable[..., Any]:
        """The function of states and elements that returns the next state."""
        return self._reduce_func

    @property
    def finalize_func(self) -> Callable[..., Any]:
        """The function of states that returns the result."""
        return self._finalize_func


@tf_export("data.experimental.group_by_reducer")
def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Callable[[Any], Any]:
    """Computes a value for each key.

    Args:
      key_func: takes an element as in `tf.data.Dataset.map`; returns the key, a scalar int64 tensor.
      reducer: `tf.data.experimental.Reducer`.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises ValueError if `key_func` returns something else, and TypeError
      if a state has other types than the first one.
    """

    def transformation(dataset: Any) -> Any:
        return _GroupByReducerDataset(dataset, key_func, reducer)

    return transformation


class _GroupByReducerDataset(UnaryDataset):
    def __init__(self, input_dataset: Any, key_func: Callable[..., Any], reducer: Reducer) -> None:
        key = StructuredFunctionWrapper(key_func, _NAME, dataset=input_dataset)
        if not key.output_structure.is_compatible_with(_KEY):
            raise ValueError(
                f"`key_func` must return a single tf.int64 tensor. Got type={key.output_types} and "
                f"shape={key.output_shapes}"
            )
        init = StructuredFunctionWrapper(reducer.init_func, _NAME, input_structure=_KEY)
        state, reduction = traced_with_state(
            reducer.reduce_func, _NAME, init.output_structure, input_dataset.element_spec, _whole
        )
        reduction.function.add_to_graph()
        self._result = StructuredFunctionWrapper(reducer.finalize_func, _NAME, input_structure=state)
        self._wrapped = [key, init, reduction, self._result]
        functions = [wrapped.function for wrapped in self._wrapped]
        names = "key_func", "init_func", "reduce_func", "finalize_func"
        named: dict[str, Any] = dict(zip(names, functions))
        arguments: Any = [input_dataset._variant_tensor, *[function.captured_inputs for function in functions]]
        grouped = gen_ops.experimental_group_by_reducer_dataset(*arguments, **{**named, **self._flat_structure})
        super().__init__(input_dataset, grouped)

    def _functions(self) -> list[Any]:
        return self._wrapped

    @property
    def element_spec(self) -> Any:
        """The specification of the results."""
        return self._result.output_structure


def _whole(result: Any) -> Any:
    return result
