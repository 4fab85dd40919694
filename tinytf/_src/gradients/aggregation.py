"""Sums the gradients that reach a tensor along several paths."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.ops import array_ops, math_ops


@tf_export("AggregationMethod")
class AggregationMethod:
    """Methods by which `tf.gradients` sums the gradients of a tensor."""

    ADD_N = 0  # one AddN of all terms
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1  # sums of pairs: less memory, higher latency
    EXPERIMENTAL_ACCUMULATE_N = 2  # accumulate_n if the static shapes are fully defined
    ALL = (ADD_N, EXPERIMENTAL_TREE, EXPERIMENTAL_ACCUMULATE_N)


def aggregate(terms: list[Any], method: int, scope: str) -> Any:
    """The sum of the terms: a Tensor, or IndexedSlices if all terms are. Raises TypeError for other terms."""
    if not all(isinstance(t, (Tensor, IndexedSlices)) for t in terms):
        raise TypeError("gradients have to be either all Tensors or all IndexedSlices")
    if all(isinstance(t, IndexedSlices) for t in terms):
        return _concatenate(terms)
    if any(isinstance(t, IndexedSlices) for t in terms):
        return math_ops.add_n(terms)
    if method == AggregationMethod.ADD_N:
        return gen_ops.add_n(terms) if executing_eagerly() else _sum_by_device(terms)
    if method == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(terms) > 2:
        if all(t.shape.is_fully_defined() for t in terms):
            return math_ops.accumulate_n(terms)
    with name_scope(f"{scope}_gradient_sum"):
        total = terms[0]
        for term in terms[1:]:
            total = math_ops.add_n([total, term])
        return total


def _sum_by_device(terms: list[Any]) -> Tensor:
    """Sums the terms on each device separately, then the partial sums."""
    on_device: dict[str, list[Any]] = {}
    for term in terms:
        on_device.setdefault(term.device, []).append(term)
    sums = []
    for name in sorted(on_device):
        with colocate_with(on_device[name][0].op, ignore_existing=True):
            sums.append(math_ops.add_n(on_device[name]))
    return math_ops.add_n(sums)


def _concatenate(terms: list[IndexedSlices]) -> IndexedSlices:
    indices = [t.indices for t in terms]
    if len({t.dtype for t in indices}) > 1:
        indices = [math_ops.cast(i, dtypes.int64) for i in indices]
    values = array_ops.concat([t.values for t in terms], axis=0)
    return IndexedSlices(values, array_ops.concat(indices, axis=0), terms[0].dense_shape)
