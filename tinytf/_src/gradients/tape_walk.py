"""Gradients from the records of a tape, computed from the last record to the first."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.aggregation import AggregationMethod, aggregate
from tinytf._src.gradients.recorded_op import RecordedOp
from tinytf._src.gradients.registry import find_gradient_function, registered
from tinytf._src.gradients.trainable import is_trainable


def gradients_of_records(
    records: list[Any], targets: list[Any], sources: list[Any], output_gradients: list[Any] | None
) -> list[Any]:
    """The derivatives of the sum of `targets` with respect to each of `sources`: Tensor, IndexedSlices or None.

    Raises LookupError if an operation on the way has no gradient function.

    Args:
      records: records of a `_core.Tape`, oldest first. The list is emptied during the walk, so that values are freed as
        soon as their gradients are computed.
      targets: tensors.
      sources: tensors; handles represent their variables.
      output_gradients: one gradient per target, with None for ones; None means ones for all.
    """
    path, reached = _between(records, sources)
    records.clear()
    kept = set(sources)
    # Gradients by tensor: one term, or a list of terms that are not summed yet.
    terms: dict[Any, Any] = {}
    for i, target in enumerate(targets):
        given = None if output_gradients is None else output_gradients[i]
        # There are no ones of type string.
        if target in reached and (given is not None or target.dtype is not dtypes.string):
            _add(terms, target, gen_ops.ones_like(target) if given is None else given)
    take = terms.pop
    functions = registered()
    while path:
        name, inputs, outputs, kernel, backward = path.pop()
        reached.difference_update(outputs)  # from now on, only inputs of earlier records matter
        if len(outputs) == 1 and outputs[0] not in kept:
            gradient = take(outputs[0], None)
            if gradient is None:
                continue
            gradients = [_total(gradient) if gradient.__class__ is list else gradient]
        else:
            gradients = [_gradient_of(terms, output, output in kept) for output in outputs]
            if all(gradient is None for gradient in gradients):
                continue
            if not getattr(backward, "takes_missing", False):
                _fill_missing(name, outputs, gradients, backward is not None)
        if backward is None:
            entry = functions.get(name)
            function = find_gradient_function(name) if entry is None else entry["type"]
            if function is None:
                continue
            found = function(RecordedOp(name, inputs, outputs, kernel, reached), *gradients)
        else:
            found = backward(*gradients)
        if found.__class__ is not tuple and found.__class__ is not list:
            found = list(found) if isinstance(found, (list, tuple)) else (found,)
        if len(found) != len(inputs):
            _raise_number(name, len(inputs), len(found))
        for tensor, gradient in zip(inputs, found):
            if gradient is not None and tensor in reached:
                if tensor in terms:
                    _add(terms, tensor, gradient)
                else:
                    terms[tensor] = gradient
    return [_gradient_of(terms, source, True) for source in sources]


def _between(records: list[Any], sources: list[Any]) -> tuple[list[Any], set[Any]]:
    """The records on a path from the sources, and the tensors that depend on a source, including the sources."""
    reached = set(sources)
    path = []
    for record in records:
        if not reached.isdisjoint(record[1]):
            path.append(record)
            reached.update(record[2])
    return path, reached


def _add(terms: dict[Any, Any], tensor: Any, gradient: Any) -> None:
    before = terms.get(tensor)
    if before is None:
        terms[tensor] = gradient
    elif before.__class__ is list:
        before.append(gradient)
    else:
        terms[tensor] = [before, gradient]


def _total(terms: list[Any]) -> Any:
    return aggregate(terms, AggregationMethod.DEFAULT, "")


def _gradient_of(terms: dict[Any, Any], tensor: Any, keep: bool) -> Any:
    gradient = terms.get(tensor)
    if gradient is None:
        return None
    if gradient.__class__ is list:
        gradient = _total(gradient)
    if keep:
        terms[tensor] = gradient
    else:
        del terms[tensor]
    return gradient


def _fill_missing(name: str, outputs: tuple[Any, ...], gradients: list[Any], own: bool) -> None:
    """Replaces missing gradients by zeros. Custom functions (`own`) get a value for each output."""
    ignored = () if own else op_spec(name).ignored_gradients
    for i, gradient in enumerate(gradients):
        if gradient is None and i not in ignored and (own or is_trainable(outputs[i])):
            gradients[i] = gen_ops.zeros_like(outputs[i])


def _raise_number(name: str, expected: int, received: int) -> None:
    few = "few" if received < expected else "many"
    raise errors_impl.InternalError(
        None,
        None,
        f"Recorded operation '{name}' returned too {few} gradients. Expected {expected} but received {received}",
    )
