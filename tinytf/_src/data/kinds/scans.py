"""Datasets that call a function with a state, or until it is false."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.base import Unary, UnaryUnchanged
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.data.state_functions import traced_with_state
from tinytf._src.exports import named
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.values import dtypes


@named("_ScanDataset")
class ScanDataset(Unary):
    """The second results of a function, which is called with a state and an element and returns the next state
    first."""

    def __init__(self, input_dataset: Any, initial_state: Any, scan_func: Callable[..., Any]) -> None:
        initial_state = structure.normalize_element(initial_state)
        first = structure.type_spec_from_value(initial_state)
        name = "tf.data.experimental.scan()"
        spec, self._scan_func = traced_with_state(scan_func, name, first, input_dataset.element_spec, _first_of_pair)
        function = self._scan_func.function
        function.add_to_graph()
        _, self._structure = self._scan_func.output_structure
        scanned = gen_ops.scan_dataset(
            input_dataset._variant_tensor,
            structure.to_tensor_list(spec, initial_state),
            function.captured_inputs,
            f=function,
            preserve_cardinality=True,
            **self._flat_structure,
        )
        super().__init__(input_dataset, scanned)

    def _functions(self) -> list[Any]:
        return [self._scan_func]

    @property
    def element_spec(self) -> Any:
        """The specification of the function's second results."""
        return self._structure


def _first_of_pair(result: Any) -> Any:
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeError("The scan function must return a pair comprising the new state and the output value.")
    return result[0]


@named("_TakeWhileDataset")
class TakeWhileDataset(UnaryUnchanged):
    """The elements before the first one for which a predicate is false."""

    def __init__(self, input_dataset: Any, predicate: Callable[..., Any]) -> None:
        self._predicate = StructuredFunctionWrapper(
            predicate, "tf.data.experimental.take_while()", dataset=input_dataset
        )
        if not self._predicate.output_structure.is_compatible_with(TensorSpec([], dtypes.bool)):
            raise ValueError("`predicate` must return a scalar boolean tensor.")
        function = self._predicate.function
        taken = gen_ops.take_while_dataset(
            input_dataset._variant_tensor,
            other_arguments=function.captured_inputs,
            predicate=function,
            **input_dataset._flat_structure,
        )
        super().__init__(input_dataset, taken)

    def _functions(self) -> list[Any]:
        return [self._predicate]
