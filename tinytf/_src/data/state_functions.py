"""Functions that are called for one element after the other with the state that the last call returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.data import nest, structure
from tinytf._src.data.functions import StructuredFunctionWrapper


def traced_with_state(
    func: Callable[..., Any],
    transformation_name: str,
    state_spec: Any,
    element_spec: Any,
    next_state: Callable[[Any], Any],
) -> tuple[Any, StructuredFunctionWrapper]:
    """Traces a function of a state and an element, again as long as its results have shapes that states did not have.

    Args:
      func: callable that takes a state and an element.
      transformation_name: str, name of the user's call, for messages and the function's name.
      state_spec: specification of the first state.
      element_spec: specification of the elements.
      next_state: returns the part of a result, or of the specification of one, that is the next state.

    Returns:
      The specification of all states, and the function, which is in no graph yet.

    Raises:
      TypeError: if the next state has other classes or types than the first one.
    """
    while True:
        wrapped = StructuredFunctionWrapper(
            func, transformation_name, input_structure=(state_spec, element_spec), add_to_graph=False
        )
        result = next_state(wrapped.output_structure)
        types, classes = structure.legacy_types(state_spec), structure.legacy_classes(state_spec)
        _check("classes", classes, structure.legacy_classes(result), _is_subclass)
        _check("types", types, structure.legacy_types(result), _is_equal)
        shapes = structure.legacy_shapes(state_spec)
        flat = nest.flatten(shapes)
        new = nest.flatten(structure.legacy_shapes(result))
        weakened = [old.most_specific_compatible_shape(shape) for old, shape in zip(flat, new)]
        if all(map(_is_as_general, flat, weakened)):
            return state_spec, wrapped
        state_spec = structure.convert_legacy_structure(types, nest.pack_sequence_as(shapes, weakened), classes)


def _check(what: str, states: Any, results: Any, agree: Callable[[Any, Any], bool]) -> None:
    if not all(map(agree, nest.flatten(results), nest.flatten(states))):
        raise TypeError(
            f"The element {what} for the new state must match the initial state. Expected {states}; got {results}."
        )


def _is_subclass(result: Any, state: Any) -> bool:
    return issubclass(result, state)


def _is_equal(result: Any, state: Any) -> bool:
    return bool(result == state)


def _is_as_general(shape: Any, weakened: Any) -> bool:
    if shape.ndims is None:
        return True
    return weakened.ndims is not None and shape.as_list() == weakened.as_list()
