"""`Dataset.reduce`: a value that a function computes from all elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.state_functions import traced_with_state
from tinytf._src.framework.scopes.name_scope import name_scope


def reduced(dataset: Any, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
    """See `DatasetV2.reduce`."""
    with name_scope("initial_state"):
        initial_state = structure.normalize_element(initial_state)
    first = structure.type_spec_from_value(initial_state)
    spec, wrapped = traced_with_state(reduce_func, "reduce()", first, dataset.element_spec, _whole)
    function = wrapped.function
    function.add_to_graph()
    tensors = gen_ops.reduce_dataset(
        dataset._variant_tensor,
        structure.to_tensor_list(spec, initial_state),
        function.captured_inputs,
        f=function,
        **structure.flat_structure(spec),
    )
    return structure.from_compatible_tensor_list(spec, tensors)


def _whole(result: Any) -> Any:
    return result
